// Many elements from a formula; only the first five results are printed.
#include <cmath>
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

  int64_t rows = 64L, columns = 128L;
  std::vector<int64_t> shape = {rows, columns};
  std::vector<float> gradHost(rows * columns, 1.0f);
  std::vector<float> selfHost(rows * columns);
  for (int64_t i = 0; i < rows * columns; i++) {
    selfHost[i] = std::sin(0.01 * i);
  }
  std::vector<float> outHost(rows * columns, 0);
  void *gradAddr, *selfAddr, *outAddr;
  aclTensor* grad = MakeTensor(gradHost, shape, ACL_FLOAT, &gradAddr);
  aclTensor* self = MakeTensor(selfHost, shape, ACL_FLOAT, &selfAddr);
  aclTensor* out = MakeTensor(outHost, shape, ACL_FLOAT, &outAddr);
  float bound = 0.02f;
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
  size_t bytes = outHost.size() * sizeof(outHost[0]);
  Must(aclrtMemcpy(outHost.data(), bytes, outAddr, bytes, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
  for (int64_t i = 0; i < 5; i++) {
    std::printf("result[%ld] is: %f\n", i, outHost[i]);
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
