// Objects that are copied to the device and back, byte by byte.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_relu.h"

static void Must(int status, const char* what) {
  if (status != 0) {
    std::printf("%s: error %d\n", what, status);
    std::exit(1);
  }
}

struct Limits {
  float low;
  float high[2];
};

struct Record {
  float head;
  Limits limits;
  float grid[2][2];
};

int main() {
  Must(aclInit(nullptr), "aclInit");
  Must(aclrtSetDevice(0), "aclrtSetDevice");
  aclrtStream stream = nullptr;
  Must(aclrtCreateStream(&stream), "aclrtCreateStream");

  Record record = {};
  record.head = -1.5f;
  record.limits.low = 2;
  record.limits.high[1] = 0.25f;
  record.grid[0][1] = -3;
  record.grid[1][0] = 4;
  std::vector<int64_t> shape = {8}, strides = {1};
  void *selfAddr, *outAddr;
  Must(aclrtMalloc(&selfAddr, sizeof(Record), ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  Must(aclrtMalloc(&outAddr, sizeof(Record), ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  Must(aclrtMemcpy(selfAddr, sizeof(Record), &record, sizeof(Record), ACL_MEMCPY_HOST_TO_DEVICE),
       "aclrtMemcpy");
  aclTensor* self = aclCreateTensor(shape.data(), 1, ACL_FLOAT, strides.data(), 0, ACL_FORMAT_ND,
                                    shape.data(), 1, selfAddr);
  aclTensor* out = aclCreateTensor(shape.data(), 1, ACL_FLOAT, strides.data(), 0, ACL_FORMAT_ND,
                                   shape.data(), 1, outAddr);
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = nullptr;
  Must(aclnnReluGetWorkspaceSize(self, out, &workspaceSize, &executor), "phase 1");
  void* workspace = nullptr;
  if (workspaceSize > 0) {
    Must(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnRelu(workspace, workspaceSize, executor, stream), "phase 2");
  Must(aclrtSynchronizeStream(stream), "wait");
  Record result{};
  Must(aclrtMemcpy(&result, sizeof(result), outAddr, sizeof(result), ACL_MEMCPY_DEVICE_TO_HOST),
       "aclrtMemcpy");
  std::printf("%f %f %f\n", result.head, result.limits.low, result.limits.high[1]);
  for (int i = 0; i < 2; ++i) {
    std::printf("%f %f\n", result.grid[i][0], result.grid[i][1]);
  }
  std::printf("%f\n", record.head);
  aclDestroyTensor(self);
  aclDestroyTensor(out);
  aclrtFree(selfAddr);
  aclrtFree(outAddr);
  if (workspace != nullptr) aclrtFree(workspace);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  return aclFinalize();
}
