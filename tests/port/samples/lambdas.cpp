// Helpers as lambdas that capture by reference.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_selu_backward.h"

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

  std::vector<void*> owned;
  auto upload = [&owned](const std::vector<float>& values,
                         std::vector<int64_t> shape) -> aclTensor* {
    void* address = nullptr;
    aclTensor* tensor = MakeTensor(values, shape, ACL_FLOAT, &address);
    owned.push_back(address);
    return tensor;
  };
  aclTensor* grad = upload({1, 1, 1, 1}, {2, 2});
  aclTensor* result = upload({-1, -0.5f, 0.5f, 1}, {2, 2});
  aclTensor* gradInput = upload({0, 0, 0, 0}, {2, 2});
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = nullptr;
  Must(aclnnSeluBackwardGetWorkspaceSize(grad, result, gradInput, &workspaceSize, &executor),
       "first phase");
  void* workspace = nullptr;
  if (workspaceSize > 0) {
    Must(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnSeluBackward(workspace, workspaceSize, executor, stream), "second phase");

  Must(aclrtSynchronizeStream(stream), "synchronize");
  auto download = [&](size_t index, size_t count) {
    std::vector<float> host(count);
    Must(aclrtMemcpy(host.data(), count * 4, owned[index], count * 4, ACL_MEMCPY_DEVICE_TO_HOST),
         "copy");
    return host;
  };
  const auto host = download(2, 4);
  int position = 0;
  std::for_each(host.begin(), host.end(),
                [&position](float value) { std::printf("%d: %.5f\n", position++, value); });
  aclDestroyTensor(grad);
  aclDestroyTensor(result);
  aclDestroyTensor(gradInput);
  for (auto address : owned) aclrtFree(address);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
