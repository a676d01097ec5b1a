// The two calls of an operator in a C++ loop: nanoseconds a call, the median of
// batches, without any Python.
// Usage: native threshold|softshrink|hardswish|softmax|selu ELEMENTS CALLS
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_hardswish_backward.h"
#include "aclnnop/aclnn_selu_backward.h"
#include "aclnnop/aclnn_softmax_backward.h"
#include "aclnnop/aclnn_softshrink_backward.h"
#include "aclnnop/aclnn_threshold_backward.h"

namespace {

constexpr int kBatch = 300;

void require(int status, const char* what) {
  if (status == 0) return;
  std::fprintf(stderr, "%s: %d\n", what, status);
  std::exit(1);
}

aclTensor* make_tensor(std::int64_t elements) {
  void* memory = nullptr;
  require(aclrtMalloc(&memory, std::size_t(elements) * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST),
          "aclrtMalloc");
  return aclCreateTensor(&elements, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &elements, 1, memory);
}

}  // namespace

int main(int count, char** values) {
  if (count != 4) return 2;
  const char* name = values[1];
  const std::int64_t elements = std::atoll(values[2]);
  const int calls = std::atoi(values[3]);
  require(aclInit(nullptr), "aclInit");
  require(aclrtSetDevice(0), "aclrtSetDevice");
  aclrtStream stream = nullptr;
  require(aclrtCreateStream(&stream), "aclrtCreateStream");
  aclTensor* grad = make_tensor(elements);
  aclTensor* x = make_tensor(elements);
  aclTensor* out = make_tensor(elements);
  float half = 0.5f;
  aclScalar* scalar = aclCreateScalar(&half, ACL_FLOAT);
  const auto once = [&] {
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    if (std::strcmp(name, "threshold") == 0) {
      require(aclnnThresholdBackwardGetWorkspaceSize(grad, x, scalar, out, &size, &executor), name);
      require(aclnnThresholdBackward(nullptr, size, executor, stream), name);
    } else if (std::strcmp(name, "softshrink") == 0) {
      require(aclnnSoftshrinkBackwardGetWorkspaceSize(grad, x, scalar, out, &size, &executor),
              name);
      require(aclnnSoftshrinkBackward(nullptr, size, executor, stream), name);
    } else if (std::strcmp(name, "hardswish") == 0) {
      require(aclnnHardswishBackwardGetWorkspaceSize(grad, x, out, &size, &executor), name);
      require(aclnnHardswishBackward(nullptr, size, executor, stream), name);
    } else if (std::strcmp(name, "softmax") == 0) {
      require(aclnnSoftmaxBackwardGetWorkspaceSize(grad, x, 0, out, &size, &executor), name);
      require(aclnnSoftmaxBackward(nullptr, size, executor, stream), name);
    } else {
      require(aclnnSeluBackwardGetWorkspaceSize(grad, x, out, &size, &executor), name);
      require(aclnnSeluBackward(nullptr, size, executor, stream), name);
    }
  };
  const auto batch = [&] {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < kBatch; ++i) once();
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
    // Not measured, as in the other contenders: what the calls submitted.
    require(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
    return spent.count() / kBatch;
  };
  batch();
  std::vector<double> times;
  for (int done = 0; done < calls; done += kBatch) times.push_back(batch());
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  std::printf("%.1f\n", times[times.size() / 2]);
  return 0;
}
