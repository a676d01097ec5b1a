// Pinned host memory and asynchronous copies.
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

  constexpr size_t kCount = 6;
  constexpr size_t kBytes = kCount * sizeof(float);
  float* host = nullptr;
  Must(aclrtMallocHost(reinterpret_cast<void**>(&host), kBytes), "aclrtMallocHost");
  for (size_t i = 0; i < kCount; ++i) host[i] = 1.5f * i - 4;
  void *selfAddr, *gradAddr, *outAddr;
  Must(aclrtMalloc(&selfAddr, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  Must(aclrtMemcpyAsync(selfAddr, kBytes, host, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream), "copy");
  Must(aclrtSynchronizeStream(stream), "synchronize");
  std::vector<int64_t> shape = {static_cast<int64_t>(kCount)};
  std::vector<int64_t> strides = {1};
  aclTensor* self = aclCreateTensor(shape.data(), 1, ACL_FLOAT, strides.data(), 0, ACL_FORMAT_ND,
                                    shape.data(), 1, selfAddr);
  aclTensor* grad = MakeTensor(std::vector<float>(kCount, 3.0f), shape, ACL_FLOAT, &gradAddr);
  aclTensor* out = MakeTensor(std::vector<float>(kCount), shape, ACL_FLOAT, &outAddr);
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = nullptr;
  Must(aclnnHardswishBackwardGetWorkspaceSize(grad, self, out, &workspaceSize, &executor),
       "first phase");
  void* workspace = nullptr;
  if (workspaceSize > 0) {
    Must(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnHardswishBackward(workspace, workspaceSize, executor, stream), "second phase");

  Must(aclrtMemcpyAsync(host, kBytes, outAddr, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream), "copy");
  Must(aclrtSynchronizeStream(stream), "synchronize");
  for (size_t i = 0; i < kCount; ++i) std::printf("host[%zu] = %e\n", i, host[i]);
  aclrtFreeHost(host);
  aclDestroyTensor(self);
  aclDestroyTensor(grad);
  aclDestroyTensor(out);
  aclrtFree(selfAddr);
  aclrtFree(gradAddr);
  aclrtFree(outAddr);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
