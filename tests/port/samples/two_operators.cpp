// Selu backward, whose result goes to threshold backward without leaving the device.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_selu_backward.h"
#include "aclnnop/aclnn_threshold_backward.h"

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

  std::vector<int64_t> shape = {6};
  std::vector<float> gradHost = {1, 2, 3, 4, 5, 6}, resultHost = {-1.5f, -0.5f, -0.1f, 0.5f, 1, 2};
  std::vector<float> middleHost(6), outHost(6);
  void *gradAddr, *resultAddr, *middleAddr, *outAddr;
  aclTensor* grad = MakeTensor(gradHost, shape, ACL_FLOAT, &gradAddr);
  aclTensor* result = MakeTensor(resultHost, shape, ACL_FLOAT, &resultAddr);
  aclTensor* middle = MakeTensor(middleHost, shape, ACL_FLOAT, &middleAddr);
  aclTensor* out = MakeTensor(outHost, shape, ACL_FLOAT, &outAddr);
  uint64_t workspaceSize1 = 0;
  aclOpExecutor* executor1 = nullptr;
  Must(aclnnSeluBackwardGetWorkspaceSize(grad, result, middle, &workspaceSize1, &executor1),
       "first phase");
  void* workspace1 = nullptr;
  if (workspaceSize1 > 0) {
    Must(aclrtMalloc(&workspace1, workspaceSize1, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnSeluBackward(workspace1, workspaceSize1, executor1, stream), "second phase");

  double limit = 0.25;
  aclScalar* threshold = aclCreateScalar(&limit, ACL_DOUBLE);
  uint64_t workspaceSize2 = 0;
  aclOpExecutor* executor2 = nullptr;
  Must(aclnnThresholdBackwardGetWorkspaceSize(middle, result, threshold, out, &workspaceSize2,
                                              &executor2),
       "first phase");
  void* workspace2 = nullptr;
  if (workspaceSize2 > 0) {
    Must(aclrtMalloc(&workspace2, workspaceSize2, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnThresholdBackward(workspace2, workspaceSize2, executor2, stream), "second phase");

  Must(aclrtSynchronizeStream(stream), "synchronize");
  Must(aclrtMemcpy(middleHost.data(), 24, middleAddr, 24, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
  Must(aclrtMemcpy(outHost.data(), 24, outAddr, 24, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
  for (int i = 0; i < 6; ++i) {
    std::printf("%d: %f %f\n", i, middleHost[i], outHost[i]);
  }
  for (aclTensor* tensor : {grad, result, middle, out}) aclDestroyTensor(tensor);
  aclDestroyScalar(threshold);
  aclrtFree(gradAddr);
  aclrtFree(resultAddr);
  aclrtFree(middleAddr);
  aclrtFree(outAddr);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
