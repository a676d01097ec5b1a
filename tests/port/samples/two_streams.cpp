// Two operators on two streams; an event makes the second wait for the first.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_hardswish_backward.h"
#include "aclnnop/aclnn_selu_backward.h"

static void Must(int status, const char* what) {
  if (status != 0) {
    std::printf("%s: error %d\n", what, status);
    std::exit(1);
  }
}

static int64_t Count(const std::vector<int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<int64_t>());
}

static std::vector<int64_t> RowMajor(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (int i = static_cast<int>(shape.size()) - 2; i >= 0; --i) {
    strides[i] = strides[i + 1] * shape[i + 1];
  }
  return strides;
}

template <typename T>
aclTensor* MakeTensor(const std::vector<T>& values, const std::vector<int64_t>& shape,
                      aclDataType type, void** address) {
  const size_t bytes = values.size() * sizeof(T);
  Must(aclrtMalloc(address, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  Must(aclrtMemcpy(*address, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE),
       "aclrtMemcpy");
  auto strides = RowMajor(shape);
  return aclCreateTensor(shape.data(), shape.size(), type, strides.data(), 0, ACL_FORMAT_ND,
                         shape.data(), shape.size(), *address);
}

int main() {
  Must(aclInit(nullptr), "aclInit");
  Must(aclrtSetDevice(0), "aclrtSetDevice");
  aclrtStream stream = nullptr;
  Must(aclrtCreateStream(&stream), "aclrtCreateStream");

  aclrtStream second = nullptr;
  Must(aclrtCreateStream(&second), "aclrtCreateStream");
  aclrtEvent ready = nullptr;
  Must(aclrtCreateEvent(&ready), "aclrtCreateEvent");
  std::vector<int64_t> shape = {4};
  std::vector<float> gradHost = {1, 2, 3, 4}, selfHost = {-2, -1, 1, 2}, outHost(4);
  void *gradAddr, *selfAddr, *middleAddr, *outAddr;
  aclTensor* grad = MakeTensor(gradHost, shape, ACL_FLOAT, &gradAddr);
  aclTensor* self = MakeTensor(selfHost, shape, ACL_FLOAT, &selfAddr);
  aclTensor* middle = MakeTensor(outHost, shape, ACL_FLOAT, &middleAddr);
  aclTensor* out = MakeTensor(outHost, shape, ACL_FLOAT, &outAddr);
  uint64_t workspaceSizeA = 0;
  aclOpExecutor* executorA = nullptr;
  Must(aclnnHardswishBackwardGetWorkspaceSize(grad, self, middle, &workspaceSizeA, &executorA),
       "first phase");
  void* workspaceA = nullptr;
  if (workspaceSizeA > 0) {
    Must(aclrtMalloc(&workspaceA, workspaceSizeA, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnHardswishBackward(workspaceA, workspaceSizeA, executorA, stream), "second phase");

  Must(aclrtRecordEvent(ready, stream), "record");
  Must(aclrtStreamWaitEvent(second, ready), "wait");
  uint64_t workspaceSizeB = 0;
  aclOpExecutor* executorB = nullptr;
  Must(aclnnSeluBackwardGetWorkspaceSize(middle, self, out, &workspaceSizeB, &executorB),
       "first phase");
  void* workspaceB = nullptr;
  if (workspaceSizeB > 0) {
    Must(aclrtMalloc(&workspaceB, workspaceSizeB, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnSeluBackward(workspaceB, workspaceSizeB, executorB, second), "second phase");

  Must(aclrtSynchronizeStream(second), "synchronize");
  Must(aclrtMemcpy(outHost.data(), 16, outAddr, 16, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
  for (int i = 0; i < 4; ++i) std::printf("%f\n", outHost[i]);
  aclDestroyTensor(grad);
  aclDestroyTensor(self);
  aclDestroyTensor(middle);
  aclDestroyTensor(out);
  aclrtFree(gradAddr);
  aclrtFree(selfAddr);
  aclrtFree(middleAddr);
  aclrtFree(outAddr);
  aclrtDestroyEvent(ready);
  aclrtDestroyStream(second);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
