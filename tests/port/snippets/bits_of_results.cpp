// Bits of results that are read as another type.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>
#include "acl/acl.h"
#include "aclnn/acl_meta.h"
template <typename T>
std::vector<T> Device(const std::vector<T>& host) {
  void* address = nullptr;
  aclrtMalloc(&address, host.size() * sizeof(T), ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(address, host.size() * sizeof(T), host.data(), host.size() * sizeof(T),
              ACL_MEMCPY_HOST_TO_DEVICE);
  int64_t shape[] = {static_cast<int64_t>(host.size())}, stride[] = {1};
  aclTensor* tensor = aclCreateTensor(shape, 1, sizeof(T) == 2 ? ACL_UINT16 : ACL_FLOAT, stride, 0,
                                      ACL_FORMAT_ND, shape, 1, address);
  std::vector<T> out(host.size());
  aclrtMemcpy(out.data(), out.size() * sizeof(T), address, out.size() * sizeof(T),
              ACL_MEMCPY_DEVICE_TO_HOST);
  aclDestroyTensor(tensor);
  return out;
}
int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  auto raw = Device(std::vector<uint16_t>{0x3f80, 0x4049, 0xc000, 0x7f80, 0xff80, 1});
  auto single = Device(std::vector<float>{1.5f, -2.25f, 3e-41f, 100});
  for (int i = 0; i < 6; i++) {
    union {
      uint32_t i;
      float f;
    } u;
    u.i = (uint32_t)raw[i] << 16;
    printf("%d %.9g %.9g\n", i, u.f, u.f * 2);
  }
  for (int i = 0; i < 4; i++) {
    union {
      uint32_t i;
      float f;
    } v;
    v.f = single[i] + 1;
    uint32_t bits = v.i;
    uint16_t half = (uint16_t)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
    printf("%08x %04x %u\n", bits, half, bits * 3u);
  }
  union {
    double d;
    uint64_t w;
    int64_t s;
  } w;
  w.d = single[0] * -2.0;
  printf("%016lx %ld\n", w.w, w.s);
  return 0;
}
