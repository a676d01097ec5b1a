// A gradient of one row, expanded by stride 0.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_hardswish_backward.h"

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

  std::vector<float> rowHost = {1, 10, 100, 1000};
  std::vector<float> selfHost(12);
  for (size_t i = 0; i < selfHost.size(); ++i) selfHost[i] = 0.75f * i - 4.0f;
  void* rowAddr = nullptr;
  Must(aclrtMalloc(&rowAddr, 16, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  Must(aclrtMemcpy(rowAddr, 16, rowHost.data(), 16, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");
  const int64_t shape[2] = {3, 4}, strides[2] = {0, 1}, storage[1] = {4};
  aclTensor* grad =
      aclCreateTensor(shape, 2, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, storage, 1, rowAddr);
  void *selfAddr = nullptr, *outAddr = nullptr;
  aclTensor* self = MakeTensor(selfHost, {3, 4}, ACL_FLOAT, &selfAddr);
  aclTensor* out = MakeTensor(std::vector<float>(12), {3, 4}, ACL_FLOAT, &outAddr);
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = nullptr;
  Must(aclnnHardswishBackwardGetWorkspaceSize(grad, self, out, &workspaceSize, &executor),
       "first phase");
  void* workspace = nullptr;
  if (workspaceSize > 0) {
    Must(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnHardswishBackward(workspace, workspaceSize, executor, stream), "second phase");

  Must(aclrtSynchronizeStream(stream), "synchronize");
  float result[3][4];
  Must(aclrtMemcpy(result, sizeof(result), outAddr, sizeof(result), ACL_MEMCPY_DEVICE_TO_HOST),
       "copy back");
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) {
      std::printf("%.3f%c", result[i][j], j == 3 ? '\n' : ' ');
    }
  }
  aclDestroyTensor(grad);
  aclDestroyTensor(self);
  aclDestroyTensor(out);
  aclrtFree(rowAddr);
  aclrtFree(selfAddr);
  aclrtFree(outAddr);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
