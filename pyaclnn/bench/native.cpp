// The two calls of an operator in a C++ loop: nanoseconds a call, the median of
// batches, without any Python.
// Usage: native threshold|softshrink|hardswish|softmax|selu|layer_norm|cat ELEMENTS CALLS
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_hardswish_backward.h"
#include "aclnnop/aclnn_layer_norm_backward.h"
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

aclTensor* make_tensor(const std::vector<std::int64_t>& shape) {
  std::int64_t elements = 1;
  for (std::int64_t extent : shape) elements *= extent;
  void* memory = nullptr;
  require(aclrtMalloc(&memory, std::size_t(elements) * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST),
          "aclrtMalloc");
  return aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND,
                         shape.data(), shape.size(), memory);
}

/// The two phases with fixed arguments.
template <class Phase1, class Phase2, class... Arguments>
std::function<void()> call_of(aclrtStream stream, Phase1 phase1, Phase2 phase2,
                              Arguments... arguments) {
  return [=] {
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    require(phase1(arguments..., &size, &executor), "phase 1");
    require(phase2(nullptr, size, executor, stream), "phase 2");
  };
}

#define CALL(Name, ...) call_of(stream, aclnn##Name##GetWorkspaceSize, aclnn##Name, __VA_ARGS__)

std::function<void()> call_named(const std::string& name, std::int64_t elements,
                                 aclrtStream stream) {
  aclTensor* grad = make_tensor({elements});
  aclTensor* x = make_tensor({elements});
  aclTensor* out = make_tensor({elements});
  float half = 0.5f;
  aclScalar* scalar = aclCreateScalar(&half, ACL_FLOAT);
  if (name == "threshold") return CALL(ThresholdBackward, grad, x, scalar, out);
  if (name == "softshrink") return CALL(SoftshrinkBackward, grad, x, scalar, out);
  if (name == "hardswish") return CALL(HardswishBackward, grad, x, out);
  if (name == "softmax") return CALL(SoftmaxBackward, grad, x, 0, out);
  if (name == "selu") return CALL(SeluBackward, grad, x, out);
  if (name == "cat") {
    aclTensor* halves[] = {make_tensor({elements / 2}), make_tensor({elements - elements / 2})};
    return CALL(Cat, aclCreateTensorList(halves, 2), 0, out);
  }
  if (name == "layer_norm") {
    const bool all[] = {true, true, true};
    return CALL(LayerNormBackward, make_tensor({1, elements}), make_tensor({1, elements}),
                aclCreateIntArray(&elements, 1), make_tensor({1, 1}), make_tensor({1, 1}), grad, x,
                aclCreateBoolArray(all, 3), make_tensor({1, elements}), make_tensor({elements}),
                out);
  }
  std::fprintf(stderr, "%s is no operator of this program\n", name.c_str());
  std::exit(2);
}

}  // namespace

int main(int count, char** values) {
  if (count != 4) return 2;
  const int calls = std::atoi(values[3]);
  require(aclInit(nullptr), "aclInit");
  require(aclrtSetDevice(0), "aclrtSetDevice");
  aclrtStream stream = nullptr;
  require(aclrtCreateStream(&stream), "aclrtCreateStream");
  const std::function<void()> once = call_named(values[1], std::atoll(values[2]), stream);
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
