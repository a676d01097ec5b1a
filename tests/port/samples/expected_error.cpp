// What phase 1 says to a missing tensor and to a bad dimension; then a call that works.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_softmax_backward.h"

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

  std::vector<int64_t> shape = {2, 2};
  std::vector<float> gradHost = {1, 2, 3, 4}, outputHost = {0.5f, 0.5f, 0.25f, 0.75f}, outHost(4);
  void *gradAddr, *outputAddr, *outAddr;
  aclTensor* grad = MakeTensor(gradHost, shape, ACL_FLOAT, &gradAddr);
  aclTensor* output = MakeTensor(outputHost, shape, ACL_FLOAT, &outputAddr);
  aclTensor* out = MakeTensor(outHost, shape, ACL_FLOAT, &outAddr);
  uint64_t size = 0;
  aclOpExecutor* broken = nullptr;
  auto status = aclnnSoftmaxBackwardGetWorkspaceSize(nullptr, output, 1, out, &size, &broken);
  if (status != ACL_SUCCESS) {
    std::printf("without a gradient: error %d\n", status);
  } else {
    std::printf("a missing gradient went unnoticed\n");
  }
  status = aclnnSoftmaxBackwardGetWorkspaceSize(grad, output, 7, out, &size, &broken);
  if (status == 161002) {
    std::printf("dimension 7: invalid argument\n");
  }
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = nullptr;
  Must(aclnnSoftmaxBackwardGetWorkspaceSize(grad, output, 1, out, &workspaceSize, &executor),
       "first phase");
  void* workspace = nullptr;
  if (workspaceSize > 0) {
    Must(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnSoftmaxBackward(workspace, workspaceSize, executor, stream), "second phase");

  Must(aclrtSynchronizeStream(stream), "synchronize");
  Must(aclrtMemcpy(outHost.data(), 16, outAddr, 16, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
  for (auto value : outHost) std::printf("%f\n", value);
  aclDestroyTensor(grad);
  aclDestroyTensor(output);
  aclDestroyTensor(out);
  aclrtFree(gradAddr);
  aclrtFree(outputAddr);
  aclrtFree(outAddr);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
