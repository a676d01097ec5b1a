// An explicit context; names built as strings; std::array, pairs and maps.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <utility>
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
  aclrtContext context = nullptr;
  Must(aclrtCreateContext(&context, 0), "aclrtCreateContext");
  Must(aclrtSetCurrentContext(context), "aclrtSetCurrentContext");
  aclrtStream stream = nullptr;
  Must(aclrtCreateStream(&stream), "aclrtCreateStream");
  const std::array<int64_t, 2> extents = {2, 2};
  std::vector<int64_t> shape(extents.begin(), extents.end());
  std::map<std::string, std::vector<float>> data;
  data["grad"] = {1, 2, 3, 4};
  data["result"] = {0.5f, -0.5f, 0.25f, -0.25f};
  data["out"] = std::vector<float>(4, 0.0f);
  std::pair<void*, aclTensor*> grad, result, out;
  grad.second = MakeTensor(data["grad"], shape, ACL_FLOAT, &grad.first);
  result.second = MakeTensor(data["result"], shape, ACL_FLOAT, &result.first);
  out.second = MakeTensor(data["out"], shape, ACL_FLOAT, &out.first);
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = nullptr;
  Must(aclnnSeluBackwardGetWorkspaceSize(grad.second, result.second, out.second, &workspaceSize,
                                         &executor),
       "first phase");
  void* workspace = nullptr;
  if (workspaceSize > 0) {
    Must(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnSeluBackward(workspace, workspaceSize, executor, stream), "second phase");

  Must(aclrtSynchronizeStream(stream), "synchronize");
  std::array<float, 4> host{};
  Must(aclrtMemcpy(host.data(), sizeof(float) * host.size(), out.first, 16,
                   ACL_MEMCPY_DEVICE_TO_HOST),
       "copy");
  for (size_t i = 0; i < host.size(); ++i) {
    std::string name = "out_" + std::to_string(i / 2) + "_" + std::to_string(i % 2);
    std::printf("%s = %f\n", name.c_str(), host[i]);
  }
  for (auto& [address, tensor] : {grad, result, out}) {
    aclDestroyTensor(tensor);
    aclrtFree(address);
  }
  aclrtDestroyStream(stream);
  aclrtDestroyContext(context);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
