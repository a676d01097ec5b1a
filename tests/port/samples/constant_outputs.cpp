// RMS norm backward, whose outputs CANN declares const; the results are float32 and float16.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_rms_norm_grad.h"

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

  std::vector<int64_t> shape = {2, 4}, rows = {2, 1}, columns = {4};
  std::vector<float> dyHost = {1, 2, 3, 4, 4, 3, 2, 1}, xHost = {1, 1, 2, 2, 2, 2, 1, 1};
  std::vector<float> rstdHost = {0.6324555f, 0.6324555f}, gammaHost(4, 1.0f), dxHost(8),
                     dgammaHost(4);
  void* memory[6];
  aclTensor* dy = MakeTensor(dyHost, shape, ACL_FLOAT, memory);
  aclTensor* x = MakeTensor(xHost, shape, ACL_FLOAT, memory + 1);
  aclTensor* rstd = MakeTensor(rstdHost, rows, ACL_FLOAT, memory + 2);
  aclTensor* gamma = MakeTensor(gammaHost, columns, ACL_FLOAT, memory + 3);
  aclTensor* dx = MakeTensor(dxHost, shape, ACL_FLOAT, memory + 4);
  aclTensor* dgamma = MakeTensor(dgammaHost, columns, ACL_FLOAT, memory + 5);
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = nullptr;
  Must(aclnnRmsNormGradGetWorkspaceSize(dy, x, rstd, gamma, dx, dgamma, &workspaceSize, &executor),
       "first phase");
  void* workspace = nullptr;
  if (workspaceSize > 0) {
    Must(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnRmsNormGrad(workspace, workspaceSize, executor, stream), "second phase");

  Must(aclrtSynchronizeStream(stream), "synchronize");
  Must(aclrtMemcpy(dxHost.data(), 32, memory[4], 32, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
  Must(aclrtMemcpy(dgammaHost.data(), 16, memory[5], 16, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
  std::printf("dx:\n");
  for (size_t i = 0; i < dxHost.size(); ++i) std::printf("  [%zu] %f\n", i, dxHost[i]);
  std::printf("dgamma:\n");
  for (size_t i = 0; i < dgammaHost.size(); ++i) std::printf("  [%zu] %f\n", i, dgammaHost[i]);
  for (auto tensor : {dy, x, rstd, gamma, dx, dgamma}) aclDestroyTensor(tensor);
  for (auto address : memory) aclrtFree(address);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
