// The cross entropy of classes, whose gradient is in cross_entropy.cpp.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/batched_view.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/loss/loss.hpp"
#include "opapi/softmax/softmax_row.hpp"
#include "parameters/CrossEntropyLoss.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 16384;

/// A tensor of one dimension, read as a list.
template <class T>
std::vector<T> values_of(const KernelMemory& memory, const View& view) {
  std::vector<T> values(static_cast<std::size_t>(view.shape[0]));
  if (values.empty()) return values;
  const auto size = static_cast<std::int64_t>(dtype_size(view.dtype));
  loader<T>(view.dtype)(memory.operands[view.operand] + view.offset * size, view.strides[0],
                        view.shape[0], values.data());
  return values;
}

std::int64_t reduction_of(const Plan& plan, const Text& name) {
  if (!name.given() || name.text == "mean") return kMean;
  check_tiling(plan, name.text == "sum" || name.text == "none",
               "reductionOptional is \"%s\", it must be \"none\", \"mean\" or \"sum\"",
               name.text.c_str());
  return name.text == "sum" ? kSum : kNone;
}

void check_shapes(const Plan& plan, const CrossEntropyLossParameters& a, std::int64_t reduction) {
  const Dims& shape = a.input.shape();
  check_tiling(plan, shape.size() == 2, "input has %zu dimensions, it must have 2", shape.size());
  const std::int64_t rows = shape[0];
  const std::int64_t classes = shape[1];
  check_tiling(plan, rows == 0 || classes > 0, "input has no classes: %s", shape.text().c_str());
  check_tiling(plan, rows > 0 || on_950(), "input has no rows: %s", shape.text().c_str());
  const auto must_be = [&](const TensorArgument& tensor, const Dims& expected) {
    check_tiling(plan, tensor.shape() == expected, "%s has shape %s, it must be %s", tensor.name(),
                 tensor.shape().text().c_str(), expected.text().c_str());
  };
  must_be(a.target, {rows});
  if (a.weightOptional.given()) must_be(a.weightOptional, {classes});
  must_be(a.lossOut, {reduction == kNone ? rows : 1});
  must_be(a.logProbOut, shape);
  must_be(a.zlossOut, a.lossOut.shape());
  must_be(a.lseForZlossOut, {rows});
}

struct Kernel {
  BatchedView input;
  BatchedView log_prob;
  View target;
  View weight;
  View loss;
  bool has_weight;
  LoadFn load;
  StoreFn store;
  std::int64_t reduction;
  std::int64_t ignore_index;
  double smoothing;

  /// The loss of a row, given logProb of it.
  double row_loss(const std::vector<float>& values, const std::vector<float>& weights,
                  std::int64_t target_class) const {
    const auto weight_of = [&](std::size_t c) { return has_weight ? double(weights[c]) : 1.0; };
    const auto t = static_cast<std::size_t>(target_class);
    double result = -(1 - smoothing) * weight_of(t) * double(values[t]);
    if (smoothing == 0) return result;
    double sum = 0;
    for (std::size_t c = 0; c < values.size(); ++c) sum += weight_of(c) * double(values[c]);
    return result - smoothing / double(values.size()) * sum;
  }

  void run(const KernelMemory& memory) const {
    static const auto log_softmax =
        loop_for_cpu<SoftmaxRow<float>, const float*, std::int64_t, bool, float*>();
    const std::int64_t rows = input.count();
    const std::int64_t classes = input.size();
    const auto weights = has_weight ? values_of<float>(memory, weight) : std::vector<float>();
    const auto targets = values_of<std::int64_t>(memory, target);
    const auto counts = [&](std::size_t n) {
      return targets[n] != ignore_index && targets[n] >= 0 && targets[n] < classes;
    };
    std::vector<float> losses(targets.size());
    const std::int64_t grain =
        std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(1, classes));
    parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> values(static_cast<std::size_t>(classes));
      for (std::int64_t n = begin; n < end; ++n) {
        input.load(load, input.base(memory) + input.plane_bytes(n), sizeof(float), values.data());
        log_softmax(values.data(), classes, true, values.data());
        log_prob.store(store, values.data(), sizeof(float),
                       log_prob.base(memory) + log_prob.plane_bytes(n));
        const auto row = static_cast<std::size_t>(n);
        if (counts(row)) losses[row] = static_cast<float>(row_loss(values, weights, targets[row]));
      }
    });
    if (reduction != kNone) {
      double sum = 0;
      double weighed = 0;
      for (std::size_t n = 0; n < targets.size(); ++n) {
        if (!counts(n)) continue;
        sum += double(losses[n]);
        weighed += has_weight ? double(weights[static_cast<std::size_t>(targets[n])]) : 1.0;
      }
      losses.assign(1, static_cast<float>(reduction == kMean ? sum / weighed : sum));
    }
    if (losses.empty()) return;
    store(losses.data(), static_cast<std::int64_t>(losses.size()),
          memory.operands[loss.operand] + loss.offset * std::int64_t(dtype_size(loss.dtype)),
          loss.strides[0]);
  }
};

}  // namespace

/// logProb = log_softmax(input), and of each row that counts
///   -(1 - smoothing) w[t] logProb[t] - smoothing / C sum_c w[c] logProb[c],
/// their sum, or their sum over that of w[t]. Rows of `ignore_index` and, here, those whose target
/// is no class count as nothing. As CANN's kernels, it leaves both outputs of the z-loss as they
/// are.
void cross_entropy_loss(const Check& check, Plan& plan, const CrossEntropyLossParameters& a) {
  needs_kernel(plan, chip().has_bf16());
  check.dtype_in(loss_dtypes(), a.input);
  check.same_dtype(a.input, a.lossOut, a.logProbOut, a.zlossOut, a.lseForZlossOut);
  const bool is_950 = on_950();
  check.dtype_in(is_950 ? DtypeSet{ACL_INT64, ACL_INT32} : DtypeSet{ACL_INT64}, a.target);
  if (a.weightOptional.given()) check.dtype_in(DtypeSet{ACL_FLOAT}, a.weightOptional);
  const std::int64_t reduction = reduction_of(plan, a.reductionOptional);
  const auto smoothing = static_cast<float>(a.labelSmoothing);
  check_tiling(plan, !(smoothing < 0 || smoothing > 1),
               "labelSmoothing is %g, it must be from 0 to 1", a.labelSmoothing);
  check_shapes(plan, a, reduction);

  plan.stage(a.input).contiguous();
  plan.stage(a.target).contiguous();
  if (a.weightOptional.given()) plan.stage(a.weightOptional).contiguous();
  plan.result(a.lossOut.dtype(), a.lossOut.shape()).copy_to(a.lossOut);
  plan.result(a.logProbOut.dtype(), a.logProbOut.shape()).copy_to(a.logProbOut);
  const View loss = plan.writes(a.lossOut);
  const Kernel kernel{
      BatchedView(plan.reads(a.input), 1),
      BatchedView(plan.writes(a.logProbOut), 1),
      plan.reads(a.target),
      a.weightOptional.given() ? plan.reads(a.weightOptional) : View(),
      loss,
      a.weightOptional.given(),
      loader<float>(a.input.dtype()),
      storer<float>(loss.dtype, Rounding::kNearestEven),
      reduction,
      a.ignoreIndex,
      double(smoothing),
  };
  plan.launch([kernel](const KernelMemory& memory) { kernel.run(memory); });
}

}  // namespace pyaclnn::sim
