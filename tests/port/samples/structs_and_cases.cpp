// A table of cases, each a struct, run by one function.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_softshrink_backward.h"
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

struct Case {
  std::string name;
  std::vector<int64_t> shape;
  std::vector<float> grad;
  std::vector<float> self;
  float value;
  bool shrink = true;
};

struct Device {
  void* address = nullptr;
  aclTensor* tensor = nullptr;
};

void Run(const Case& c, aclrtStream stream) {
  Device grad, self, out;
  grad.tensor = MakeTensor(c.grad, c.shape, ACL_FLOAT, &grad.address);
  self.tensor = MakeTensor(c.self, c.shape, ACL_FLOAT, &self.address);
  std::vector<float> host(c.grad.size());
  out.tensor = MakeTensor(host, c.shape, ACL_FLOAT, &out.address);
  float value = c.value;
  aclScalar* scalar = aclCreateScalar(&value, ACL_FLOAT);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  void* workspace = nullptr;
  if (c.shrink) {
    Must(aclnnSoftshrinkBackwardGetWorkspaceSize(grad.tensor, self.tensor, scalar, out.tensor,
                                                 &size, &executor),
         "plan");
    if (size > 0) Must(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
    Must(aclnnSoftshrinkBackward(workspace, size, executor, stream), "run");
  } else {
    Must(aclnnThresholdBackwardGetWorkspaceSize(grad.tensor, self.tensor, scalar, out.tensor, &size,
                                                &executor),
         "plan");
    if (size > 0) Must(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
    Must(aclnnThresholdBackward(workspace, size, executor, stream), "run");
  }
  Must(aclrtSynchronizeStream(stream), "synchronize");
  const size_t bytes = host.size() * sizeof(float);
  Must(aclrtMemcpy(host.data(), bytes, out.address, bytes, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
  std::printf("%s:", c.name.c_str());
  for (const auto& v : host) std::printf(" %.2f", v);
  std::printf("\n");
  aclDestroyScalar(scalar);
  for (auto* d : {&grad, &self, &out}) {
    aclDestroyTensor(d->tensor);
    aclrtFree(d->address);
  }
}

int main() {
  Must(aclInit(nullptr), "aclInit");
  Must(aclrtSetDevice(0), "aclrtSetDevice");
  aclrtStream stream = nullptr;
  Must(aclrtCreateStream(&stream), "aclrtCreateStream");

  std::vector<Case> cases = {
      {"shrink", {2, 2}, {1, 2, 3, 4}, {-1, 0.1f, 0.2f, 1}, 0.15f},
      {"threshold", {3}, {5, 6, 7}, {0, 1, 2}, 0.5f, false},
  };
  for (const auto& c : cases) {
    Run(c, stream);
  }
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
