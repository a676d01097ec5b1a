// The largest rank, with a shape that is computed.
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

  std::vector<int64_t> shape(8, 1);
  for (size_t i = 0; i < shape.size(); i += 2) shape[i] = 2;
  const int64_t count = Count(shape);
  std::vector<float> gradHost(count), selfHost(count), outHost(count, 0.f);
  for (int64_t i = 0; i < count; i++) {
    gradHost[i] = static_cast<float>(i % 5);
    selfHost[i] = (i & 1) ? -1.0f : 1.0f;
  }
  void *gradAddr, *selfAddr, *outAddr;
  aclTensor* grad = MakeTensor(gradHost, shape, ACL_FLOAT, &gradAddr);
  aclTensor* self = MakeTensor(selfHost, shape, ACL_FLOAT, &selfAddr);
  aclTensor* out = MakeTensor(outHost, shape, ACL_FLOAT, &outAddr);
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
  Must(aclrtMemcpy(outHost.data(), count * sizeof(float), outAddr, count * sizeof(float),
                   ACL_MEMCPY_DEVICE_TO_HOST),
       "copy");
  int64_t i = 0;
  while (i < count) {
    std::printf("%6.3f", outHost[i]);
    ++i;
  }
  std::printf("\n");
  aclDestroyTensor(grad);
  aclDestroyTensor(self);
  aclDestroyTensor(out);
  aclrtFree(gradAddr);
  aclrtFree(selfAddr);
  aclrtFree(outAddr);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
