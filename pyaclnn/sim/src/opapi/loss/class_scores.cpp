// SPDX-License-Identifier: MIT
#include "opapi/loss/class_scores.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/loss/elements.hpp"
#include "parameters/MultilabelMarginLoss.hpp"
#include "parameters/SoftmaxCrossEntropyWithLogits.hpp"

namespace pyaclnn::sim {
namespace {

enum Reduction : std::int64_t { kNone = 0, kMean = 1 };  // and any other number for the sum

struct Margins {
  RowMajor self;
  View target;
  RowMajor out;
  RowMajor is_target;
  std::int64_t rows;
  std::int64_t classes;
  std::int64_t reduction;

  void run(const KernelMemory& memory) const {
    const std::vector<std::int64_t> wanted = values_of<std::int64_t>(target, memory);
    std::vector<float> losses(std::size_t(rows), 0.0f);
    parallel_for(rows, 1, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> marks(static_cast<std::size_t>(classes));
      std::vector<float> scores(marks.size());
      for (std::int64_t row = begin; row < end; ++row) {
        const std::int64_t at = row * classes;
        const float* x = RowMajorAccess(self, memory).read(at, classes, scores.data());
        losses[std::size_t(row)] = float(loss_of(x, wanted.data() + at, marks.data()));
        RowMajorAccess(is_target, memory).write(at, classes, marks.data());
      }
    });
    const RowMajorAccess to(out, memory);
    if (reduction == kNone) return to.write(0, rows, losses.data());
    double sum = 0;
    for (float loss : losses) sum += double(loss);
    const auto result = float(reduction == kMean ? sum / double(rows) : sum);
    to.write(0, 1, &result);
  }

 private:
  double loss_of(const float* x, const std::int64_t* t, float* marks) const {
    std::fill_n(marks, classes, 0.0f);
    std::vector<std::int64_t> targets;
    for (std::int64_t i = 0; i < classes && t[i] >= 0; ++i) {
      // What is no class, which CANN does not define, counts as nothing.
      if (t[i] >= classes) continue;
      targets.push_back(t[i]);
      marks[t[i]] = 1;
    }
    double sum = 0;
    for (std::int64_t wanted : targets)
      for (std::int64_t i = 0; i < classes; ++i)
        if (marks[i] == 0) sum += std::max(0.0, 1.0 - double(x[wanted]) + double(x[i]));
    return sum / double(classes);
  }
};

/// exp(x - largest) into `power`; returns its sum.
double powers(const float* x, std::int64_t count, double largest, float* power) {
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double value = std::exp(double(x[i]) - largest);
    power[i] = float(value);
    sum += value;
  }
  return sum;
}

struct SoftLabels {
  RowMajor features;
  RowMajor labels;
  RowMajor loss;
  RowMajor backprop;
  std::int64_t rows;
  std::int64_t classes;

  void run(const KernelMemory& memory) const {
    parallel_for(rows, 16, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> scores(static_cast<std::size_t>(classes));
      std::vector<float> wanted(scores.size());
      std::vector<float> power(scores.size());
      for (std::int64_t row = begin; row < end; ++row) {
        const std::int64_t at = row * classes;
        const float* x = RowMajorAccess(features, memory).read(at, classes, scores.data());
        const float* y = RowMajorAccess(labels, memory).read(at, classes, wanted.data());
        const double largest = double(*std::max_element(x, x + classes));
        const double sum = powers(x, classes, largest, power.data());
        double total = 0;
        for (std::int64_t i = 0; i < classes; ++i) {
          total += double(y[i]) * (largest + std::log(sum) - double(x[i]));
          power[std::size_t(i)] = float(double(power[std::size_t(i)]) / sum - double(y[i]));
        }
        const auto result = float(total);
        RowMajorAccess(loss, memory).write(row, 1, &result);
        RowMajorAccess(backprop, memory).write(at, classes, power.data());
      }
    });
  }
};

struct Part {
  RowMajor logits;
  View target;
  RowMajor largest, predicted, sum_exp, exp, offset, mask;
  std::int64_t rows;
  std::int64_t classes;
  std::int64_t start;

  void run(const KernelMemory& memory) const {
    const std::vector<float> shifts = RowMajorAccess(largest, memory).values();
    const std::vector<std::int64_t> wanted = values_of<std::int64_t>(target, memory);
    parallel_for(rows, 16, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> scores(static_cast<std::size_t>(classes));
      std::vector<float> power(scores.size());
      for (std::int64_t row = begin; row < end; ++row) {
        const float* x = RowMajorAccess(logits, memory).read(row * classes, classes, scores.data());
        const float shift = shifts[std::size_t(row)];
        const auto sum = float(powers(x, classes, double(shift), power.data()));
        const std::int64_t place = wanted[std::size_t(row)] - start;  // of int32, and not negative
        const bool is_here = place >= 0 && place < classes;
        write(predicted, memory, row, is_here ? x[place] - shift : 0.0f);
        write(sum_exp, memory, row, sum);
        write(offset, memory, row, is_here ? float(place) : 0.0f);
        write(mask, memory, row, is_here ? 0.0f : 1.0f);
        RowMajorAccess(exp, memory).write(row * classes, classes, power.data());
      }
    });
  }

 private:
  static void write(const RowMajor& to, const KernelMemory& memory, std::int64_t at, float value) {
    RowMajorAccess(to, memory).write(at, 1, &value);
  }
};

template <class Kernel>
void launch(Plan& plan, Kernel kernel) {
  plan.launch([kernel = std::move(kernel)](const KernelMemory& memory) { kernel.run(memory); });
}

}  // namespace

/// out = sum over the targets t, up to the first that is negative, and all other classes i of
/// max(0, 1 - self[t] + self[i]) / classes; is_target is 1 for the targets, else 0.
void multilabel_margin_loss(const Check& check, Plan& plan,
                            const MultilabelMarginLossParameters& given) {
  const DtypeSet halves{ACL_FLOAT, ACL_FLOAT16};
  check.dtype_in(halves.with_bf16(), given.self);
  check.dtype_in({ACL_INT64, ACL_INT32}, given.target);
  check.same_dtype(given.self, given.out, given.isTarget);
  check.that(given.self.rank() <= 2 && (given.self.rank() == 0 || given.self.shape().back() != 0),
             "self has shape %s, it must have classes, and samples at most",
             given.self.shape().text().c_str());
  if (given.self.rank() == 2) {
    check.same_shape(given.self, given.target);
  } else {
    check.that(given.target.rank() <= 1 && given.target.elements() == given.self.elements(),
               "target has shape %s, self has %s", given.target.shape().text().c_str(),
               given.self.shape().text().c_str());
  }
  if (given.reduction == kNone && given.self.rank() == 2) {
    check.shape_is(given.out, Dims{given.self.shape()[0]}, "the samples of self");
  } else {
    check.that(given.out.rank() <= 1 && given.out.elements() == 1,
               "out has shape %s, it must be one number", given.out.shape().text().c_str());
  }
  if (given.self.is_empty()) {
    check.that(given.isTarget.rank() <= 2 && given.isTarget.is_empty(),
               "isTarget has elements, self none");
    return;
  }
  check.same_shape(given.target, given.isTarget);
  check_kernel_exists(plan, !on_310p() && !on_950());
  const aclDataType type = given.self.dtype() == ACL_BF16 ? ACL_FLOAT : given.self.dtype();
  plan.stage(given.self).contiguous().cast_to(type);
  plan.stage(given.target).contiguous().cast_to(ACL_INT32);
  for (const TensorArgument* tensor : {&given.out, &given.isTarget})
    plan.result(type, tensor->shape()).cast_to(tensor->dtype()).copy_to(*tensor);
  const std::int64_t classes = given.self.rank() == 0 ? 1 : given.self.shape().back();
  launch(plan, Margins{RowMajor(plan.reads(given.self)), plan.reads(given.target),
                       RowMajor(plan.writes(given.out)), RowMajor(plan.writes(given.isTarget)),
                       given.self.elements() / classes, classes, given.reduction});
}

/// loss = -sum(labels log_softmax(features)) and backprop = softmax(features) - labels.
void softmax_cross_entropy(const Check& check, Plan& plan,
                           const SoftmaxCrossEntropyWithLogitsParameters& given) {
  check.rank_at_most(8, given.features, given.labels, given.loss, given.backprop);
  check.that(given.features.rank() == 2 && given.labels.rank() == 2,
             "features has %zu dimensions and labels %zu, both must have 2", given.features.rank(),
             given.labels.rank());
  if (given.features.is_empty() || given.labels.is_empty()) return;
  // CANN's kernel takes one type, and its document one shape.
  check_kernel_exists(plan, given.labels.dtype() == given.features.dtype());
  check_tiling(plan, given.labels.shape() == given.features.shape(),
               "labels has shape %s, features has %s", given.labels.shape().text().c_str(),
               given.features.shape().text().c_str());
  plan.stage(given.features).contiguous();
  plan.stage(given.labels).contiguous();
  const std::int64_t rows = given.features.shape()[0];
  plan.result(given.features.dtype(), Dims{rows}).copy_to(given.loss);
  plan.result(given.features.dtype(), given.features.shape()).copy_to(given.backprop);
  launch(plan, SoftLabels{RowMajor(plan.reads(given.features)), RowMajor(plan.reads(given.labels)),
                          RowMajor(plan.writes(given.loss)), RowMajor(plan.writes(given.backprop)),
                          rows, given.features.shape()[1]});
}

void partial_cross_entropy(const Check& check, Plan& plan, const PartialCrossEntropy& call) {
  constexpr std::int64_t kMostRows = 32 * 1024;
  constexpr std::int64_t kLeastClasses = 16;
  constexpr std::int64_t kMostClasses = 200 * 1024;
  const TensorArgument& logits = call.logits;
  needs_kernel(plan, on_950());
  check.dtype_in({ACL_FLOAT, ACL_BF16}, logits);
  check.dtype_in(DtypeSet{ACL_INT32}, call.target);
  check.same_dtype(logits, call.largest);
  check.dtype_in(DtypeSet{ACL_FLOAT}, call.predicted, call.sum_exp, call.exp);
  check.dtype_in(DtypeSet{ACL_INT32}, call.target_offset, call.target_mask);
  check_tiling(plan, logits.rank() == 2 || logits.rank() == 3,
               "vocabParallelLogits has %zu dimensions, it must have 2 or 3", logits.rank());
  const std::int64_t classes = logits.shape().back();
  check_tiling(plan, !logits.is_empty() && classes >= kLeastClasses && classes <= kMostClasses,
               "vocabParallelLogits has shape %s, it must have 16 to 204800 classes",
               logits.shape().text().c_str());
  const std::int64_t rows = logits.elements() / classes;
  check_tiling(plan, rows <= kMostRows, "vocabParallelLogits has %lld rows, at most %lld",
               static_cast<long long>(rows), static_cast<long long>(kMostRows));
  check_tiling(plan, classes % (logits.dtype() == ACL_BF16 ? 16 : 8) == 0,
               "vocabParallelLogits has %lld classes, which are not whole blocks of 32 bytes",
               static_cast<long long>(classes));
  check_tiling(plan, call.start >= 0 && call.end > call.start && call.end - call.start == classes,
               "vocabStartIndex is %lld and vocabEndIndex %lld, between them must lie %lld classes",
               static_cast<long long>(call.start), static_cast<long long>(call.end),
               static_cast<long long>(classes));
  const Dims samples(logits.shape().begin(), logits.rank() - 1);
  for (const TensorArgument* tensor : {&call.target, &call.largest, &call.predicted, &call.sum_exp,
                                       &call.target_offset, &call.target_mask})
    check_tiling(plan, tensor->shape() == samples, "%s has shape %s, it must be %s", tensor->name(),
                 tensor->shape().text().c_str(), samples.text().c_str());
  check_tiling(plan, call.exp.shape() == logits.shape(), "expLogitsOut has shape %s, it must be %s",
               call.exp.shape().text().c_str(), logits.shape().text().c_str());
  for (const TensorArgument* tensor : {&logits, &call.target, &call.largest})
    plan.stage(*tensor).contiguous();
  for (const TensorArgument* tensor :
       {&call.predicted, &call.sum_exp, &call.exp, &call.target_offset, &call.target_mask})
    plan.result(tensor->dtype(), tensor->shape()).copy_to(*tensor);
  launch(plan, Part{RowMajor(plan.reads(logits)), plan.reads(call.target),
                    RowMajor(plan.reads(call.largest)), RowMajor(plan.writes(call.predicted)),
                    RowMajor(plan.writes(call.sum_exp)), RowMajor(plan.writes(call.exp)),
                    RowMajor(plan.writes(call.target_offset)),
                    RowMajor(plan.writes(call.target_mask)), rows, classes, call.start});
}

}  // namespace pyaclnn::sim
