// Preprocessor conditions, token pasting and macros over several lines.
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

#define VERBOSE 1
#define TEXT(name) #name
#define DECLARE_TENSOR(name, value)             \
  std::vector<float> name##Host(kCount, value); \
  void* name##Address = nullptr;                \
  aclTensor* name##Tensor = MakeTensor(name##Host, shape, ACL_FLOAT, &name##Address)
#define RELEASE(name)             \
  aclDestroyTensor(name##Tensor); \
  aclrtFree(name##Address);
#ifdef VERBOSE
constexpr int kCount = 3;
#else
constexpr int kCount = 5;
#endif

int main() {
  Must(aclInit(nullptr), "aclInit");
  Must(aclrtSetDevice(0), "aclrtSetDevice");
  aclrtStream stream = nullptr;
  Must(aclrtCreateStream(&stream), "aclrtCreateStream");

  std::vector<int64_t> shape = {kCount};
  DECLARE_TENSOR(grad, 1.0f);
  DECLARE_TENSOR(self, 0.5f);
  DECLARE_TENSOR(out, 0.0f);
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = nullptr;
  Must(aclnnHardswishBackwardGetWorkspaceSize(gradTensor, selfTensor, outTensor, &workspaceSize,
                                              &executor),
       "first phase");
  void* workspace = nullptr;
  if (workspaceSize > 0) {
    Must(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnHardswishBackward(workspace, workspaceSize, executor, stream), "second phase");

  Must(aclrtSynchronizeStream(stream), "synchronize");
  Must(aclrtMemcpy(outHost.data(), kCount * 4, outAddress, kCount * 4, ACL_MEMCPY_DEVICE_TO_HOST),
       "copy");
#if VERBOSE > 0 && defined(VERBOSE)
  std::printf("%s has %d elements\n", TEXT(out), kCount);
#else
  std::printf("quiet\n");
#endif
  for (int i = 0; i < kCount; ++i) std::printf("%f\n", outHost[i]);
  RELEASE(grad)
  RELEASE(self)
  RELEASE(out)
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
