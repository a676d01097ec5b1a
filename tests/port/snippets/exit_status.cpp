// What main returns is the port's exit status, too: here of a check of results.
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  std::vector<float> data = {1, 2, 3};
  std::vector<float> result(3);
  void* device = nullptr;
  aclrtMalloc(&device, 12, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(device, 12, data.data(), 12, ACL_MEMCPY_HOST_TO_DEVICE);
  aclrtMemcpy(result.data(), 12, device, 12, ACL_MEMCPY_DEVICE_TO_HOST);
  int64_t shape[] = {3};
  aclTensor* tensor =
      aclCreateTensor(shape, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 1, device);
  aclDestroyTensor(tensor);
  aclrtFree(device);
  int wrong = 0;
  for (int i = 0; i < 3; i++) {
    if (result[i] != i + 1) wrong++;
  }
  printf("%d wrong\n", wrong);
  return wrong == 0 ? 0 : 3;
}
