// Layer norm backward without weight and bias, and with only one output wanted.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_layer_norm_backward.h"

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

  std::vector<int64_t> shape = {2, 4}, stats = {2, 1}, normalized = {4};
  std::vector<float> gradHost = {1, 0, 0, 0, 0, 0, 0, 1}, inputHost = {1, 2, 3, 4, 2, 4, 6, 8};
  std::vector<float> meanHost = {2.5f, 5.0f}, rstdHost = {0.8944f, 0.4472f}, outHost(8);
  void* m[5];
  aclTensor* gradOut = MakeTensor(gradHost, shape, ACL_FLOAT, &m[0]);
  aclTensor* input = MakeTensor(inputHost, shape, ACL_FLOAT, &m[1]);
  aclTensor* mean = MakeTensor(meanHost, stats, ACL_FLOAT, &m[2]);
  aclTensor* rstd = MakeTensor(rstdHost, stats, ACL_FLOAT, &m[3]);
  aclTensor* gradInput = MakeTensor(outHost, shape, ACL_FLOAT, &m[4]);
  aclTensor* weight = nullptr;
  aclTensor* bias = nullptr;
  aclIntArray* normalizedShape = aclCreateIntArray(normalized.data(), normalized.size());
  std::array<bool, 3> wanted = {true, false, false};
  aclBoolArray* mask = aclCreateBoolArray(wanted.data(), wanted.size());
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = nullptr;
  Must(aclnnLayerNormBackwardGetWorkspaceSize(gradOut, input, normalizedShape, mean, rstd, weight,
                                              bias, mask, gradInput, nullptr, nullptr,
                                              &workspaceSize, &executor),
       "first phase");
  void* workspace = nullptr;
  if (workspaceSize > 0) {
    Must(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnLayerNormBackward(workspace, workspaceSize, executor, stream), "second phase");

  Must(aclrtSynchronizeStream(stream), "synchronize");
  Must(aclrtMemcpy(outHost.data(), 32, m[4], 32, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
  for (size_t i = 0; i < outHost.size(); ++i) std::printf("%zu: %f\n", i, outHost[i]);
  for (auto tensor : {gradOut, input, mean, rstd, gradInput}) aclDestroyTensor(tensor);
  aclDestroyIntArray(normalizedShape);
  aclDestroyBoolArray(mask);
  for (void* a : m) aclrtFree(a);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
