// Loops that print as many elements as a result says.
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

template <typename T>
std::vector<T> OnDevice(const std::vector<T>& host, aclDataType type) {
  void* address = nullptr;
  size_t bytes = host.size() * sizeof(T);
  aclrtMalloc(&address, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(address, bytes, host.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
  int64_t shape[] = {static_cast<int64_t>(host.size())}, strides[] = {1};
  aclTensor* tensor = aclCreateTensor(shape, 1, type, strides, 0, ACL_FORMAT_ND, shape, 1, address);
  std::vector<T> out(host.size());
  aclrtMemcpy(out.data(), bytes, address, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
  aclDestroyTensor(tensor);
  aclrtFree(address);
  return out;
}

struct Record {
  uint32_t count;
  int32_t values[6];
};

void Times() {
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  clock_gettime(CLOCK_MONOTONIC, &after);
  double seconds = (after.tv_sec - before.tv_sec) + (after.tv_nsec - before.tv_nsec) / 1e9;
  printf("%d %d\n", seconds >= 0, seconds < 60);
}

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  auto n = OnDevice<int32_t>({5, 0, -3, 6}, ACL_INT32);
  auto u = OnDevice<uint8_t>({3, 200}, ACL_UINT8);
  auto f = OnDevice<float>({0.5f, -1.f, 2.25f, 8.f, 1e9f, 7.f}, ACL_FLOAT);
  for (int i = 0; i < n[0]; i++) printf("%d: %g %g\n", i, f[i], f[5 - i]);
  for (int i = 0; i < n[1]; i++) printf("never %g\n", f[i]);
  for (int i = 0; i < n[2]; i++) printf("nor %g\n", f[i]);
  for (size_t i = 0; i < u[0]; ++i) printf("%zu of %d\n", i, u[0]);
  for (int i = 0; i < n[0] - 2; i++) {
    printf("%d ", n[i]);
    printf("%d\n", 10 * i);
  }
  auto words = OnDevice<uint32_t>({4, 10, 20, 30, 40, 50, 60}, ACL_UINT32);
  auto* record = reinterpret_cast<const Record*>(words.data());
  for (uint32_t i = 0; i < record->count; i++) printf("%u %d\n", i, record->values[i]);
  Times();
  return 0;
}
