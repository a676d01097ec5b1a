// Numbers that only a run knows have types: unsigned ones wrap, narrow ones are cut, fractions
// round.
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

template <typename T>
std::vector<T> OnDevice(const std::vector<T>& host, aclDataType type) {
  void* address = nullptr;
  size_t size = host.size() * sizeof(T);
  aclrtMalloc(&address, size, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(address, size, host.data(), size, ACL_MEMCPY_HOST_TO_DEVICE);
  int64_t shape[] = {static_cast<int64_t>(host.size())};
  int64_t stride[] = {1};
  aclTensor* tensor = aclCreateTensor(shape, 1, type, stride, 0, ACL_FORMAT_ND, shape, 1, address);
  std::vector<T> out(host.size());
  aclrtMemcpy(out.data(), size, address, size, ACL_MEMCPY_DEVICE_TO_HOST);
  aclDestroyTensor(tensor);
  return out;
}

float Total(const std::vector<float>& values, int from) {
  float sum = 0;
  for (size_t i = from; i < values.size(); i++) sum += values[i];
  return sum;
}

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  auto r = OnDevice(std::vector<int32_t>{-7, 300, -70000, 2147483647}, ACL_INT32);
  auto f = OnDevice(std::vector<float>{-0.1f, 2.75f, -1e9f, 1.5f}, ACL_FLOAT);
  auto b = OnDevice(std::vector<int8_t>{-1, 100, -127, 3}, ACL_INT8);
  auto l = OnDevice(std::vector<int64_t>{-9000000000000000007, 5, -5, 7}, ACL_INT64);

  uint32_t u = r[0];
  printf("%d %lu %ld %lu\n", (int)u, (uint64_t)u * 3, (int64_t)u * 2, (uint64_t)u << 4);
  uint16_t h = r[0];
  int16_t s = h;
  printf("%d %d %d\n", (int16_t)h, s, s * s);
  uint8_t c = r[1];
  std::cout << (int)c << " " << static_cast<int>(b[1]) << " " << +b[2] << " " << c << std::endl;
  uint32_t wide = r[1] * 1000000;
  uint64_t product = (uint64_t)wide * 4096;
  printf("%lu\n", product);
  bool below = r[0] < 0;
  printf("%d %d %d\n", below, below + below, !below);
  std::cout << below << (f[0] > 0) << (!(f[1] > 0) > r[0]) << "\n";
  printf("%ld %ld %d\n", l[0] % 1000, l[0] / l[1], r[1] >> (r[1] & 3));
  printf("%d %d\n", (r[0] && r[1]) + 1, (b[0] || f[0]) * 5);

  // A variable that becomes the opposite of itself.
  double turned = std::inner_product(f.begin(), f.end(), f.begin(), 0.5);
  turned = (+(-turned));
  printf("%g\n", turned);
  if (f[0] > r[0]) turned = -turned;
  printf("%g\n", turned);

  // A float that a loop computes of a comparison with one that changes in each turn.
  float least = f[1] * 4;
  for (int i = 0; i < 3; i++) least -= (std::min<float>(least, i) > least);
  for (int i = 0; i < 3; i++) least += (least > 0.5f * i);
  printf("%g\n", least);

  // Truth values beside numbers that no long holds.
  uint64_t most = (uint64_t)l[0] * 0 - 3;
  printf("%d %d\n", ((r[0] != 5) && (f[0] < 2)) != most, (f[0] > 0) < most);

  // A sum that starts again in each row, and a function that is called twice.
  for (int i = 0; i < 2; i++) {
    float row = 0;
    for (int j = 0; j < 2; j++) row += f[2 * i + j];
    printf("%g\n", row);
  }
  printf("%g\n", Total(f, 0) - Total(f, 1));
  float all = Total(f, 0);
  float rest = Total(f, 2);
  printf("%g %g\n", all, rest);
  int k = r[0];
  k += r[1];
  int before = k++;
  std::vector<int> kept(2);
  kept[0] = k;
  k += r[2];
  kept[1] = k;
  printf("%d %d %d %d\n", before, kept[0], kept[1], k);

  std::vector<float> many(300);
  for (int i = 0; i < 300; i++) many[i] = i * 0.1f;
  auto back = OnDevice(many, ACL_FLOAT);
  printf("%.9g\n", std::accumulate(back.begin(), back.end(), 0.0f));
  return 0;
}
