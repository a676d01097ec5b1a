// Input and output lie in one block of device memory, one behind the other.
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

  const int64_t n = 4;
  std::vector<float> host = {1, 2, 3, 4, -1, 0.5f, 1, 2, 0, 0, 0, 0};
  const size_t bytes = host.size() * sizeof(float);
  void* block = nullptr;
  Must(aclrtMalloc(&block, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  Must(aclrtMemcpy(block, bytes, host.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE), "copy");
  const int64_t shape[] = {n}, strides[] = {1}, storage[] = {3 * n};
  aclTensor* part[3];
  for (int i = 0; i < 3; ++i) {
    part[i] =
        aclCreateTensor(shape, 1, ACL_FLOAT, strides, i * n, ACL_FORMAT_ND, storage, 1, block);
  }
  float limit = 0.75f;
  aclScalar* threshold = aclCreateScalar(&limit, ACL_FLOAT);
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = nullptr;
  Must(aclnnThresholdBackwardGetWorkspaceSize(part[0], part[1], threshold, part[2], &workspaceSize,
                                              &executor),
       "first phase");
  void* workspace = nullptr;
  if (workspaceSize > 0) {
    Must(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnThresholdBackward(workspace, workspaceSize, executor, stream), "second phase");

  Must(aclrtSynchronizeStream(stream), "synchronize");
  Must(aclrtMemcpy(host.data(), bytes, block, bytes, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
  for (size_t i = 2 * n; i < host.size(); ++i) std::printf("%zu: %.2f\n", i, host[i]);
  for (auto tensor : part) aclDestroyTensor(tensor);
  aclDestroyScalar(threshold);
  aclrtFree(block);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
