// The output is a window of a larger matrix: every second column of rows 1 and 2.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

#include "acl/acl.h"
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

  const std::vector<int64_t> shape = {2, 3};
  std::vector<float> gradHost = {1, 2, 3, 4, 5, 6}, selfHost = {1, -1, 1, -1, 1, 1};
  std::vector<float> canvas(4 * 6, -9.0f);
  void *gradAddr, *selfAddr, *canvasAddr;
  aclTensor* grad = MakeTensor(gradHost, shape, ACL_FLOAT, &gradAddr);
  aclTensor* self = MakeTensor(selfHost, shape, ACL_FLOAT, &selfAddr);
  size_t bytes = canvas.size() * sizeof(float);
  Must(aclrtMalloc(&canvasAddr, bytes, ACL_MEM_MALLOC_NORMAL_ONLY), "aclrtMalloc");
  Must(aclrtMemcpy(canvasAddr, bytes, canvas.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE), "copy");
  int64_t strides[] = {6, 2};
  int64_t storage[] = {4, 6};
  aclTensor* out = aclCreateTensor(shape.data(), 2, ACL_FLOAT, strides, 6, ACL_FORMAT_ND, storage,
                                   2, canvasAddr);
  float zero = 0.0f;
  aclScalar* threshold = aclCreateScalar(&zero, ACL_FLOAT);
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = nullptr;
  Must(
      aclnnThresholdBackwardGetWorkspaceSize(grad, self, threshold, out, &workspaceSize, &executor),
      "first phase");
  void* workspace = nullptr;
  if (workspaceSize > 0) {
    Must(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnThresholdBackward(workspace, workspaceSize, executor, stream), "second phase");

  Must(aclrtSynchronizeStream(stream), "synchronize");
  Must(aclrtMemcpy(canvas.data(), bytes, canvasAddr, bytes, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
  for (size_t i = 0; i < canvas.size(); i++) {
    std::printf("%5.1f%s", canvas[i], "");
    if (i % 6 == 5) std::printf("\n");
  }
  aclDestroyTensor(grad);
  aclDestroyTensor(self);
  aclDestroyTensor(out);
  aclDestroyScalar(threshold);
  aclrtFree(gradAddr);
  aclrtFree(selfAddr);
  aclrtFree(canvasAddr);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
