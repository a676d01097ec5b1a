// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/vecmath.hpp"
#include "opapi/loss/gradients.hpp"
#include "opapi/loss/loss.hpp"
#include "parameters/CrossEntropyLossGrad.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 1024;   // classes held at a time
constexpr std::int64_t kGrain = 32768;  // elements worth a hand-over to another thread

/// out[i] = e^logProb[i] * probability - weight[i] * smooth; without weights all count as 1.
struct Row {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* log_prob, const float* weight, std::int64_t count,
                                    float probability, float smooth, float* out) {
    if (weight == nullptr) {
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < count; ++i)
        out[i] = vec::exp(log_prob[i]) * probability - smooth;
    } else {
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < count; ++i)
        out[i] = vec::exp(log_prob[i]) * probability - weight[i] * smooth;
    }
  }
};

struct Operand {
  View view;
  std::int64_t size = 0;
  LoadFn load = nullptr;

  const std::byte* at(const KernelMemory& memory, std::int64_t element) const {
    return memory.operands[view.operand] + (view.offset + element) * size;
  }
};

template <class C>
Operand operand(const View& view) {
  return {view, static_cast<std::int64_t>(dtype_size(view.dtype)), loader<C>(view.dtype)};
}

struct Kernel {
  Operand grad;
  Operand log_prob;
  Operand target;
  Operand weight;
  Operand out;
  StoreFn store = nullptr;
  bool has_weight = false;
  std::int64_t reduction = kMean;
  std::int64_t ignore_index = -100;
  float smoothing = 0;

  std::int64_t rows() const { return log_prob.view.shape[0]; }
  std::int64_t classes() const { return log_prob.view.shape[1]; }

  /// The row's class, or -1 where it has none.
  std::int64_t class_of(const KernelMemory& memory, std::int64_t row) const {
    std::int64_t index = 0;
    target.load(target.at(memory, row * target.view.strides[0]), 1, 1, &index);
    return index == ignore_index || index < 0 || index >= classes() ? -1 : index;
  }

  void run(const KernelMemory& memory) const;
  void row(const KernelMemory& memory, std::int64_t row, float grad_value,
           const std::vector<float>& weights, double weight_sum) const;
};

void Kernel::run(const KernelMemory& memory) const {
  std::vector<float> weights;
  double weight_sum = double(classes());
  if (has_weight) {
    weights.resize(std::size_t(classes()));
    weight.load(weight.at(memory, 0), weight.view.strides[0], classes(), weights.data());
    weight_sum = 0;
    for (float value : weights) weight_sum += double(value);
  }
  double counted = 1;
  if (reduction == kMean) {
    counted = 0;
    for (std::int64_t n = 0; n < rows(); ++n) {
      const std::int64_t index = class_of(memory, n);
      if (index >= 0) counted += has_weight ? double(weights[std::size_t(index)]) : 1.0;
    }
  }
  parallel_for(rows(), std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(1, classes())),
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t n = begin; n < end; ++n) {
                   float value = 0;
                   const std::int64_t stride = reduction == kNone ? grad.view.strides[0] : 0;
                   grad.load(grad.at(memory, n * stride), 1, 1, &value);
                   row(memory, n, static_cast<float>(double(value) / counted), weights, weight_sum);
                 }
               });
}

void Kernel::row(const KernelMemory& memory, std::int64_t row, float grad_value,
                 const std::vector<float>& weights, double weight_sum) const {
  static const auto compute =
      loop_for_cpu<Row, const float*, const float*, std::int64_t, float, float, float*>();
  const std::int64_t index = class_of(memory, row);
  const float of_class = index >= 0 && has_weight ? weights[std::size_t(index)] : 1.0f;
  // A product, as in CANN: where no row counts, the mean of their gradients is NaN.
  const float counts = index >= 0 ? 1.0f : 0.0f;
  const float nll = grad_value * (1.0f - smoothing) * of_class * counts;
  const float smooth = grad_value * smoothing / static_cast<float>(classes()) * counts;
  const float spread = static_cast<float>(double(smooth) * weight_sum);
  for (std::int64_t at = 0; at < classes(); at += kBlock) {
    const std::int64_t count = std::min(kBlock, classes() - at);
    alignas(64) float values[kBlock];
    alignas(64) float results[kBlock];
    log_prob.load(
        log_prob.at(memory, row * log_prob.view.strides[0] + at * log_prob.view.strides[1]),
        log_prob.view.strides[1], count, values);
    compute(values, has_weight ? weights.data() + at : nullptr, count, nll + spread, smooth,
            results);
    // e^x nll - nll, whose leading digits cancel for a class that is almost certain.
    if (index >= at && index < at + count) {
      const float x = values[index - at];
      results[index - at] = vec::expm1(x) * nll + (vec::exp(x) * spread - of_class * smooth);
    }
    std::byte* to =
        memory.operands[out.view.operand] +
        (out.view.offset + row * out.view.strides[0] + at * out.view.strides[1]) * out.size;
    store(results, count, to, out.view.strides[1]);
  }
}

void shape_holds(const Plan& plan, bool holds, const TensorArgument& tensor, const char* expected) {
  check_tiling(plan, holds, "%s has shape %s, it must be %s", tensor.name(),
               tensor.shape().text().c_str(), expected);
}

}  // namespace

void check_cross_entropy_kernel(const Plan& plan) {
  if (!chip().has_bf16())
    fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: %s has no such kernel", plan.api(), chip().name);
}

std::int64_t cross_entropy_reduction(const Text& name) {
  if (!name.given() || name.text == "mean") return kMean;
  return name.text == "sum" ? kSum : kNone;
}

/// 561002 for wrong shapes, which CANN finds when it plans the kernel. The arguments of the z-loss
/// are accepted and ignored, as CANN does.
void check_cross_entropy_gradient(const Check&, Plan& plan,
                                  const CrossEntropyLossGradParameters& a) {
  shape_holds(plan, a.logProb.rank() == 2, a.logProb, "[rows, classes]");
  const Dims rows{a.logProb.shape()[0]};
  const Dims classes{a.logProb.shape()[1]};
  shape_holds(plan, a.target.shape() == rows, a.target, "[rows of logProb]");
  if (a.weightOptional.given())
    shape_holds(plan, a.weightOptional.shape() == classes, a.weightOptional,
                "[classes of logProb]");
  if (cross_entropy_reduction(a.reductionOptional) == kNone) {
    shape_holds(plan, a.gradLoss.shape() == rows, a.gradLoss, "[rows of logProb]");
  } else {
    shape_holds(plan, a.gradLoss.rank() <= 1 && a.gradLoss.elements() == 1, a.gradLoss,
                "one element, as the loss is");
  }
  shape_holds(plan, a.out.shape() == a.logProb.shape(), a.out, "that of logProb");
}

/// out[n, c] = e^logProb[n, c] (a + s sum(weight)) - s weight[c] - (c == target[n] ? a : 0)
/// with a = g (1 - smoothing) weight[target[n]] and s = g smoothing / C. Here g is grad, for the
/// mean divided by the sum of weight[target] over the rows that count; a row whose target is
/// `ignore_index` does not, and is 0. A target that is no class counts as ignored.
void cross_entropy_gradient(const Check&, Plan& plan, const CrossEntropyLossGradParameters& a) {
  plan.stage(a.gradLoss).contiguous();
  plan.stage(a.logProb).contiguous();
  plan.stage(a.target).contiguous();
  if (a.weightOptional.given()) plan.stage(a.weightOptional).contiguous();
  plan.result(a.out.dtype(), a.out.shape()).copy_to(a.out);

  auto kernel = std::make_shared<Kernel>();
  kernel->grad = operand<float>(plan.reads(a.gradLoss));
  kernel->log_prob = operand<float>(plan.reads(a.logProb));
  kernel->target = operand<std::int64_t>(plan.reads(a.target));
  kernel->has_weight = a.weightOptional.given();
  if (kernel->has_weight) kernel->weight = operand<float>(plan.reads(a.weightOptional));
  kernel->out = operand<float>(plan.writes(a.out));
  kernel->store = storer<float>(a.out.dtype(), Rounding::kNearestEven);
  kernel->reduction = cross_entropy_reduction(a.reductionOptional);
  kernel->ignore_index = a.ignoreIndex;
  kernel->smoothing = static_cast<float>(a.labelSmoothing);
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

}  // namespace pyaclnn::sim
