// Arithmetic on what a copy from the device brings: the port computes it when it runs.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

template <typename T>
std::vector<T> RoundTrip(const std::vector<T>& data, aclDataType type) {
  void* device = nullptr;
  int64_t shape[] = {static_cast<int64_t>(data.size())};
  int64_t strides[] = {1};
  size_t size = data.size() * sizeof(T);
  aclrtMalloc(&device, size, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(device, size, data.data(), size, ACL_MEMCPY_HOST_TO_DEVICE);
  std::vector<T> result(data.size());
  aclrtMemcpy(result.data(), size, device, size, ACL_MEMCPY_DEVICE_TO_HOST);
  aclTensor* tensor = aclCreateTensor(shape, 1, type, strides, 0, ACL_FORMAT_ND, shape, 1, device);
  aclDestroyTensor(tensor);
  aclrtFree(device);
  return result;
}

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  auto f = RoundTrip<float>({0.1f, -2.5f, 3.7f, 16777216.0f}, ACL_FLOAT);
  auto i = RoundTrip<int32_t>({7, -7, 100000, 3}, ACL_INT32);
  auto u = RoundTrip<uint8_t>({200, 100, 65, 0}, ACL_UINT8);
  auto w = RoundTrip<uint32_t>({1, 4000000000u, 5, 6}, ACL_UINT32);
  auto l = RoundTrip<int64_t>({9007199254740993, -9007199254740993, 2, -5}, ACL_INT64);
  auto d = RoundTrip<double>({0.1, 0.2, 0.3, 1e10}, ACL_DOUBLE);
  float expected[] = {0.1f, -2.0f, 3.0f, 1.0f};
  for (int k = 0; k < 4; k++) printf("%.9f %.9f\n", f[k] * 0.1, f[k] * 0.1f);
  for (int k = 0; k < 4; k++) printf("%.9f\n", f[k] - (2 * k + 1));
  for (int k = 0; k < 4; k++) printf("%.9f %.9f\n", f[k] - expected[k], std::fabs(f[k] - k));
  for (int k = 0; k < 4; k++) printf("%d %d %d\n", i[k] / 2, i[k] % 4, i[k] - 2 * k + 1);
  for (int k = 0; k < 4; k++) printf("%d %d\n", u[k] + u[0], static_cast<uint8_t>(u[k] + u[0]));
  for (int k = 0; k < 4; k++) printf("%u %d\n", w[k] - 2, w[k] - 2 > 5);
  for (int k = 0; k < 4; k++) printf("%ld %ld\n", l[k] / 3, l[k] + 1);
  for (int k = 0; k < 4; k++) printf("%.17g %d\n", d[k] * f[k], d[k] == f[k]);
  for (int k = 0; k < 4; k++) printf("%d %d\n", f[k] == 0.1, f[k] == 0.1f);
  for (int k = 0; k < 4; k++) printf("%d %.1f\n", static_cast<int>(f[k]), -f[k]);
  for (int k = 0; k < 4; k++) printf("%.9f %.9f\n", std::sqrt(f[k] * f[k]), f[k] / 3);
  printf("%d %d %d\n", i[0] & 3, i[0] << 2, ~i[1]);
  std::cout << u[2] << " " << +u[2] << " " << f[0] << " " << i[1] << " " << d[0] << std::endl;
  int truncated = f[2];
  double widened = f[0];
  float narrowed = d[0];
  printf("%d %.17g %.9f %.17g\n", truncated, widened, narrowed, widened + narrowed);
  float total = 0;
  double wide_total = 0;
  int64_t count = 0;
  for (int k = 0; k < 4; k++) {
    total += f[k];
    wide_total += f[k];
    count += i[k];
  }
  printf("%.9f %.9f %ld %.9f\n", total, wide_total, count, total / 4);
  float largest = f[0];
  for (int k = 1; k < 3; k++) largest = std::max(largest, f[k]);
  printf("%.9f %.9f\n", largest, f[0] > 0 ? f[0] * 2 : 0.5);
  bool close = std::abs(f[0] - 0.1) < 1e-6;
  printf("%s\n", close ? "close" : "far");
  if (f[1] < 0) printf("negative\n");
  auto n = RoundTrip<float>({1.5f, NAN, 3.5f, 3.5f}, ACL_FLOAT);
  float most = *std::max_element(f.begin(), f.end());
  int least = *std::min_element(i.begin() + 1, i.end());
  printf("%.9g %d %d %u\n", most, least, *std::max_element(u.begin(), u.end()) + 100,
         *std::max_element(w.begin(), w.end()) + 500000000u);
  printf("%g %g\n", *std::max_element(n.begin(), n.end()),
         *std::min_element(n.begin() + 1, n.end()));
  std::vector<int> mixed = {5, i[2], -3};
  printf("%d %d\n", *std::max_element(mixed.begin(), mixed.end()) / 7,
         *std::min_element(mixed.begin(), mixed.end()));
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
