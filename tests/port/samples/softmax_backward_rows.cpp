// Softmax backward over the last dimension, printed row by row.
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

  const std::vector<int64_t> shape = {3, 4};
  std::vector<float> grad = {1, 2, 3, 4, 4, 3, 2, 1, 1, 1, 1, 1};
  std::vector<float> output = {0.1f,  0.2f,  0.3f, 0.4f, 0.25f, 0.25f,
                               0.25f, 0.25f, 0.7f, 0.1f, 0.1f,  0.1f};
  std::vector<float> result(Count(shape));
  void* addresses[3] = {nullptr, nullptr, nullptr};
  aclTensor* gradOutput = MakeTensor(grad, shape, ACL_FLOAT, &addresses[0]);
  aclTensor* softmaxOutput = MakeTensor(output, shape, ACL_FLOAT, &addresses[1]);
  aclTensor* out = MakeTensor(result, shape, ACL_FLOAT, &addresses[2]);
  int64_t dim = -1;
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = nullptr;
  Must(aclnnSoftmaxBackwardGetWorkspaceSize(gradOutput, softmaxOutput, dim, out, &workspaceSize,
                                            &executor),
       "first phase");
  void* workspace = nullptr;
  if (workspaceSize > 0) {
    Must(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnSoftmaxBackward(workspace, workspaceSize, executor, stream), "second phase");

  Must(aclrtSynchronizeStream(stream), "synchronize");
  Must(aclrtMemcpy(result.data(), result.size() * sizeof(float), addresses[2],
                   result.size() * sizeof(float), ACL_MEMCPY_DEVICE_TO_HOST),
       "copy back");
  for (int64_t row = 0; row < shape[0]; ++row) {
    std::printf("row %d:", static_cast<int>(row));
    for (int64_t column = 0; column < shape[1]; ++column) {
      std::printf(" %8.4f", result[row * shape[1] + column]);
    }
    std::printf("\n");
  }
  aclDestroyTensor(gradOutput);
  aclDestroyTensor(softmaxOutput);
  aclDestroyTensor(out);
  for (int i = 0; i < 3; ++i) {
    aclrtFree(addresses[i]);
  }
  if (workspace != nullptr) aclrtFree(workspace);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
