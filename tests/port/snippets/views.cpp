// Two views of one memory whose storage is given as a number of elements.
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_neg.h"

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtStream stream;
  aclrtCreateStream(&stream);
  std::vector<float> x(12);
  for (int i = 0; i < 12; i++) x[i] = i;
  void* memory = nullptr;
  void* target = nullptr;
  aclrtMalloc(&memory, 48, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc(&target, 48, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(memory, 48, x.data(), 48, ACL_MEMCPY_HOST_TO_DEVICE);
  int64_t storage[] = {12}, shape[] = {4, 3}, across[] = {1, 4}, along[] = {3, 1};
  int64_t column[] = {3}, step[] = {4};
  auto* part = aclCreateTensor(column, 1, ACL_FLOAT, step, 2, ACL_FORMAT_ND, storage, 1, memory);
  auto* turned = aclCreateTensor(shape, 2, ACL_FLOAT, across, 0, ACL_FORMAT_ND, storage, 1, memory);
  auto* out = aclCreateTensor(shape, 2, ACL_FLOAT, along, 0, ACL_FORMAT_ND, shape, 2, target);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  void* workspace = nullptr;
  aclnnInplaceNegGetWorkspaceSize(part, &size, &executor);
  if (size > 0) aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST);
  aclnnInplaceNeg(workspace, size, executor, stream);
  aclnnNegGetWorkspaceSize(turned, out, &size, &executor);
  if (size > 0) aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST);
  aclnnNeg(workspace, size, executor, stream);
  aclrtSynchronizeStream(stream);
  aclrtMemcpy(x.data(), 48, target, 48, ACL_MEMCPY_DEVICE_TO_HOST);
  for (float value : x) printf("%g ", value);
  printf("\n");
  return 0;
}
