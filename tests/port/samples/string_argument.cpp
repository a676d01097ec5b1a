// Gelu backward takes the name of an approximation.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_gelu_backward_v2.h"

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

  std::vector<int64_t> shape = {4};
  std::vector<float> gradHost = {1, 1, 1, 1}, selfHost = {-1, -0.5f, 0.5f, 1}, outHost(4);
  void *gradAddr, *selfAddr, *outAddr;
  aclTensor* grad = MakeTensor(gradHost, shape, ACL_FLOAT, &gradAddr);
  aclTensor* self = MakeTensor(selfHost, shape, ACL_FLOAT, &selfAddr);
  aclTensor* out = MakeTensor(outHost, shape, ACL_FLOAT, &outAddr);
  std::string name = "tanh";
  char approximate[8];
  strcpy(approximate, name.c_str());
  uint64_t workspaceSize1 = 0;
  aclOpExecutor* executor1 = nullptr;
  Must(aclnnGeluBackwardV2GetWorkspaceSize(grad, self, approximate, out, &workspaceSize1,
                                           &executor1),
       "first phase");
  void* workspace1 = nullptr;
  if (workspaceSize1 > 0) {
    Must(aclrtMalloc(&workspace1, workspaceSize1, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnGeluBackwardV2(workspace1, workspaceSize1, executor1, stream), "second phase");

  Must(aclrtSynchronizeStream(stream), "synchronize");
  Must(aclrtMemcpy(outHost.data(), 16, outAddr, 16, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
  for (int i = 0; i < 4; ++i) std::printf("%s %.6f\n", approximate, outHost[i]);
  char exact[] = {'n', 'o', 'n', 'e', 0};
  uint64_t workspaceSize2 = 0;
  aclOpExecutor* executor2 = nullptr;
  Must(aclnnGeluBackwardV2GetWorkspaceSize(grad, self, exact, out, &workspaceSize2, &executor2),
       "first phase");
  void* workspace2 = nullptr;
  if (workspaceSize2 > 0) {
    Must(aclrtMalloc(&workspace2, workspaceSize2, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnGeluBackwardV2(workspace2, workspaceSize2, executor2, stream), "second phase");

  Must(aclrtSynchronizeStream(stream), "synchronize");
  Must(aclrtMemcpy(outHost.data(), 16, outAddr, 16, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
  for (int i = 0; i < 4; ++i) std::printf("%s %.6f\n", exact, outHost[i]);
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
