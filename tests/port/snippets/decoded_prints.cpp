// Long loops that print what a function of the sample makes of numbers, some of which count calls.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

static int calls = 0;

float decoded(uint16_t bits) {
  int exponent = (bits >> 10) & 0x1F;
  int fraction = bits & 0x3FF;
  float sign = (bits >> 15) ? -1.0f : 1.0f;
  if (exponent == 0) {
    return sign * static_cast<float>(std::ldexp(fraction, -24));
  }
  return sign * static_cast<float>(std::ldexp(1024 + fraction, exponent - 25));
}

int counted(int value) {
  calls++;
  return value + calls;
}

float decodes_and_counts(uint16_t bits) {
  calls++;
  return decoded(bits);
}

float of_bfloat16(uint16_t bits) {
  uint32_t wide = (uint32_t)bits << 16;
  float number;
  memcpy(&number, &wide, sizeof(number));
  return number;
}

// Thousands of results, of which few are printed.
void Many(int64_t count) {
  std::vector<uint16_t> data(count), half(count);
  for (int64_t i = 0; i < count; i++) data[i] = static_cast<uint16_t>(0x3C00 + i % 500);
  void* device = nullptr;
  aclrtMalloc(&device, 2 * count, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(device, 2 * count, data.data(), 2 * count, ACL_MEMCPY_HOST_TO_DEVICE);
  int64_t shape[] = {count};
  aclTensor* tensor =
      aclCreateTensor(shape, 1, ACL_FLOAT16, nullptr, 0, ACL_FORMAT_ND, shape, 1, device);
  aclrtMemcpy(half.data(), 2 * count, device, 2 * count, ACL_MEMCPY_DEVICE_TO_HOST);
  std::vector<float> first(count, 7.0f), second(count + 5, 1.0f), third(count), most(count, 2.0f);
  for (int64_t i = 0; i < count; ++i) {
    first[i] = aclFloat16ToFloat(half[i]);
  }
  for (int64_t i = 0; i < count; i++) second[i] = decoded(half[i]);
  for (int64_t i = 0; i < count; i++) third[i] = of_bfloat16(half[i]);
  for (int64_t i = 0; i < count - 10; i++) most[i] = decoded(half[i]);
  first[1] = 0.5f;
  for (int i = 0; i < 5; i++) printf("%f %f %.9g %f\n", first[i], second[i], third[i], most[i]);
  printf("%f %f %f %f\n", first[count - 1], second[count], most[count - 11], most[count - 10]);
  float total = 0;
  for (int i = 4000; i < 4003; i++) total += first[i] * second[i] - third[i];
  printf("%.9g\n", total);
  aclDestroyTensor(tensor);
  aclrtFree(device);
}

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  std::vector<uint16_t> data(40);
  for (int i = 0; i < 40; i++) {
    data[i] = static_cast<uint16_t>(0x3C00 + 7 * i);
  }
  std::vector<uint16_t> result(40);
  void* device = nullptr;
  aclrtMalloc(&device, 80, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(device, 80, data.data(), 80, ACL_MEMCPY_HOST_TO_DEVICE);
  aclrtMemcpy(result.data(), 80, device, 80, ACL_MEMCPY_DEVICE_TO_HOST);
  int64_t shape[] = {40};
  aclTensor* tensor =
      aclCreateTensor(shape, 1, ACL_FLOAT16, nullptr, 0, ACL_FORMAT_ND, shape, 1, device);
  for (int i = 0; i < 40; i++) {
    printf("%d: %f\n", i, decoded(result[i]));
  }
  float number = 0, last = 0;
  for (int i = 0; i < 40; i++) {
    number = decoded(result[i]);
    printf("%d: %f\n", i, number);
  }
  printf("%f\n", number);
  for (int i = 0; i < 40; i++) {
    printf("%d: %f\n", i, last);
    last = decoded(result[i]);
  }
  for (int i = 0; i < 20; i++) {
    printf("%d ", counted(i));
  }
  printf("%d\n", calls);
  for (int i = 0; i < 18; i++) {
    printf("%f ", decodes_and_counts(data[i]));
  }
  printf("%d\n", calls);
  aclDestroyTensor(tensor);
  aclrtFree(device);
  Many(5000);
  return 0;
}
