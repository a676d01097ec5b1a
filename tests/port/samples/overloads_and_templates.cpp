// Overloaded and explicitly instantiated helpers, namespaces, aliases and enums.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_hardswish_backward.h"
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

namespace helper {
using Shape = std::vector<int64_t>;
enum class Kind { kFloat, kInt = 5 };
constexpr int kWidth = 4;

void Show(const char* title, const std::vector<float>& values) {
  std::printf("%s (float):", title);
  for (float v : values) std::printf(" %.3f", v);
  std::printf("\n");
}

void Show(const char* title, const std::vector<int32_t>& values) {
  std::printf("%s (int):", title);
  for (int32_t v : values) std::printf(" %d", v);
  std::printf("\n");
}

template <typename T>
std::vector<T> Back(void* address, size_t count) {
  std::vector<T> host(count);
  Must(aclrtMemcpy(host.data(), count * sizeof(T), address, count * sizeof(T),
                   ACL_MEMCPY_DEVICE_TO_HOST),
       "copy");
  return host;
}
}  // namespace helper

int main() {
  Must(aclInit(nullptr), "aclInit");
  Must(aclrtSetDevice(0), "aclrtSetDevice");
  aclrtStream stream = nullptr;
  Must(aclrtCreateStream(&stream), "aclrtCreateStream");

  helper::Shape shape = {helper::kWidth};
  void *a, *b, *c, *d, *e, *f;
  aclTensor* grad = MakeTensor<float>({1, 2, 3, 4}, shape, ACL_FLOAT, &a);
  aclTensor* self = MakeTensor<float>({-1, 0, 1, 5}, shape, ACL_FLOAT, &b);
  aclTensor* out = MakeTensor<float>({0, 0, 0, 0}, shape, ACL_FLOAT, &c);
  uint64_t workspaceSizeF = 0;
  aclOpExecutor* executorF = nullptr;
  Must(aclnnHardswishBackwardGetWorkspaceSize(grad, self, out, &workspaceSizeF, &executorF),
       "first phase");
  void* workspaceF = nullptr;
  if (workspaceSizeF > 0) {
    Must(aclrtMalloc(&workspaceF, workspaceSizeF, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnHardswishBackward(workspaceF, workspaceSizeF, executorF, stream), "second phase");

  aclTensor* intGrad = MakeTensor<int32_t>({1, 2, 3, 4}, shape, ACL_INT32, &d);
  aclTensor* intSelf = MakeTensor<int32_t>({-1, 0, 1, 5}, shape, ACL_INT32, &e);
  aclTensor* intOut = MakeTensor<int32_t>({0, 0, 0, 0}, shape, ACL_INT32, &f);
  int64_t limit = 0;
  aclScalar* threshold = aclCreateScalar(&limit, ACL_INT64);
  uint64_t workspaceSizeI = 0;
  aclOpExecutor* executorI = nullptr;
  Must(aclnnThresholdBackwardGetWorkspaceSize(intGrad, intSelf, threshold, intOut, &workspaceSizeI,
                                              &executorI),
       "first phase");
  void* workspaceI = nullptr;
  if (workspaceSizeI > 0) {
    Must(aclrtMalloc(&workspaceI, workspaceSizeI, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnThresholdBackward(workspaceI, workspaceSizeI, executorI, stream), "second phase");

  Must(aclrtSynchronizeStream(stream), "synchronize");
  for (auto kind : {helper::Kind::kFloat, helper::Kind::kInt}) {
    switch (kind) {
      case helper::Kind::kFloat:
        helper::Show("hardswish", helper::Back<float>(c, helper::kWidth));
        break;
      case helper::Kind::kInt:
        helper::Show("threshold", helper::Back<int32_t>(f, helper::kWidth));
        break;
      default:
        std::printf("no such kind\n");
    }
  }
  for (auto tensor : {grad, self, out, intGrad, intSelf, intOut}) aclDestroyTensor(tensor);
  aclDestroyScalar(threshold);
  for (auto address : {a, b, c, d, e, f}) aclrtFree(address);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
