// Long loops that print what a function of the sample makes of numbers, some of which count calls.
#include <cmath>
#include <cstdint>
#include <cstdio>
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
  return 0;
}
