// printf with flags, widths, exponents, text and characters.
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

  std::vector<int64_t> shape = {3};
  std::vector<int32_t> gradHost = {255, -42, 7}, selfHost = {9, 9, 9}, outHost(3);
  void *gradAddr, *selfAddr, *outAddr;
  aclTensor* grad = MakeTensor(gradHost, shape, ACL_INT32, &gradAddr);
  aclTensor* self = MakeTensor(selfHost, shape, ACL_INT32, &selfAddr);
  aclTensor* out = MakeTensor(outHost, shape, ACL_INT32, &outAddr);
  int32_t zero = 0;
  aclScalar* threshold = aclCreateScalar(&zero, ACL_INT32);
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
  Must(aclrtMemcpy(outHost.data(), 12, outAddr, 12, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
  const char* names[] = {"first", "second", "third"};
  for (int i = 0; i < 3; ++i) {
    std::printf("%-8s|%6d|%-6d|%+d|%06d|%%\n", names[i], outHost[i], outHost[i], outHost[i],
                outHost[i]);
  }
  std::printf("%x %X %o %c%c %5.1f %s\n", outHost[0], outHost[0], outHost[2], 'o', 'k', 2.25,
              "done");
  std::printf("%*d|%.*f\n", 5, outHost[2], 2, 3.14159);
  aclDestroyTensor(grad);
  aclDestroyTensor(self);
  aclDestroyTensor(out);
  aclDestroyScalar(threshold);
  aclrtFree(gradAddr);
  aclrtFree(selfAddr);
  aclrtFree(outAddr);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
