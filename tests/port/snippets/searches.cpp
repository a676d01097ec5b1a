// Loops that stop at the first result that is special.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

std::vector<float> Device(const std::vector<float>& host) {
  void* address = nullptr;
  size_t size = host.size() * sizeof(float);
  aclrtMalloc(&address, size, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(address, size, host.data(), size, ACL_MEMCPY_HOST_TO_DEVICE);
  int64_t shape[] = {static_cast<int64_t>(host.size())}, stride[] = {1};
  aclTensor* tensor =
      aclCreateTensor(shape, 1, ACL_FLOAT, stride, 0, ACL_FORMAT_ND, shape, 1, address);
  std::vector<float> out(host.size());
  aclrtMemcpy(out.data(), size, address, size, ACL_MEMCPY_DEVICE_TO_HOST);
  aclDestroyTensor(tensor);
  aclrtFree(address);
  return out;
}

void Search(const std::vector<float>& values, float wanted) {
  for (size_t i = 0; i < values.size(); i++) {
    if (std::fabs(values[i] - wanted) < 0.5f) {
      printf("%zu: %g\n", i, values[i]);
      break;
    }
  }
  printf("searched for %g\n", wanted);
}

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  std::vector<float> host(1000);
  for (int i = 0; i < 1000; i++) host[i] = i * 0.5f;
  auto found = Device(host);
  Search(found, 3);
  Search(found, 499.5f);
  Search(found, -7);
  for (int i = 10; i <= 500; ++i)
    if (found[i] > 7.5f && i != 3) {
      std::cout << "first at " << i << "\n";
      break;
    }
  for (int i = 0; i < 5; i++) {
    if (found[4 - i] < 2) {
      std::cout << found[4 - i] << " below\n";
      break;
    }
  }
  int at = -1;
  for (int i = 0; i < 4; i++) {
    if (found[i] > 0.6f) {
      at = i;
      break;
    }
  }
  printf("%d\n", at);
  return 0;
}
