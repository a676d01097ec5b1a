// The gradient is a transposed view: strides 1 and 2 over 3 x 2 stored elements.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_softshrink_backward.h"

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

  std::vector<float> gradHost = {1, 2, 3, 4, 5, 6};
  std::vector<float> selfHost = {-1, 0.1f, 2, -0.2f, 3, -4};
  std::vector<float> outHost(6, 0.0f);
  void* gradAddr = nullptr;
  Must(aclrtMalloc(&gradAddr, 24, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  Must(aclrtMemcpy(gradAddr, 24, gradHost.data(), 24, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");
  std::vector<int64_t> viewShape = {2, 3}, viewStrides = {1, 2}, storageShape = {3, 2};
  aclTensor* grad =
      aclCreateTensor(viewShape.data(), viewShape.size(), ACL_FLOAT, viewStrides.data(), 0,
                      ACL_FORMAT_ND, storageShape.data(), storageShape.size(), gradAddr);
  void *selfAddr = nullptr, *outAddr = nullptr;
  aclTensor* self = MakeTensor(selfHost, viewShape, ACL_FLOAT, &selfAddr);
  aclTensor* out = MakeTensor(outHost, viewShape, ACL_FLOAT, &outAddr);
  float bound = 0.5f;
  aclScalar* lambd = aclCreateScalar(&bound, ACL_FLOAT);
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = nullptr;
  Must(aclnnSoftshrinkBackwardGetWorkspaceSize(grad, self, lambd, out, &workspaceSize, &executor),
       "first phase");
  void* workspace = nullptr;
  if (workspaceSize > 0) {
    Must(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnSoftshrinkBackward(workspace, workspaceSize, executor, stream), "second phase");

  Must(aclrtSynchronizeStream(stream), "synchronize");
  Must(aclrtMemcpy(outHost.data(), 24, outAddr, 24, ACL_MEMCPY_DEVICE_TO_HOST), "copy back");
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 3; j++) {
      std::printf("out[%d][%d] = %.1f\n", i, j, outHost[i * 3 + j]);
    }
  }
  aclDestroyTensor(grad);
  aclDestroyTensor(self);
  aclDestroyTensor(out);
  aclDestroyScalar(lambd);
  aclrtFree(gradAddr);
  aclrtFree(selfAddr);
  aclrtFree(outAddr);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
