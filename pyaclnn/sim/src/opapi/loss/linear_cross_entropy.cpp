// Cross entropy over a part of the vocabulary, fused with the product that makes its logits.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/packed_operand.hpp"
#include "opapi/product/packed_floats.hpp"
#include "parameters/FusedCrossEntropyLossWithMaxSum.hpp"
#include "parameters/FusedLinearCrossEntropyLossGrad.hpp"
#include "parameters/FusedLinearOnlineMaxSum.hpp"

namespace pyaclnn::sim {
namespace {

using Floats = std::vector<float>;

const DtypeSet kFloat{ACL_FLOAT};
const DtypeSet kHalves{ACL_FLOAT16, ACL_BF16};
const DtypeSet kIndices{ACL_INT32, ACL_INT64};
constexpr std::int64_t kBits = 8;

void check_class(const char* api, std::int64_t number, std::int64_t classes) {
  if (number < 0 || number >= classes)
    fail(kRtAicoreException, "%s: a target is %lld, there are %lld classes", api,
         static_cast<long long>(number), static_cast<long long>(classes));
}

/// Rows become exp(x - max) / sum.
void softmax_rows(Floats& rows, std::int64_t classes, const Floats& largest, const Floats& sums) {
  const auto count = std::int64_t(largest.size());
  parallel_for(count, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row)
      for (std::int64_t c = 0; c < classes; ++c) {
        float& value = rows[std::size_t(row * classes + c)];
        value = std::exp(value - largest[std::size_t(row)]) / sums[std::size_t(row)];
      }
  });
}

}  // namespace

void fused_linear_online_max_sum(const Check& check, Plan& plan,
                                 const FusedLinearOnlineMaxSumParameters& given) {
  const TensorArgument& input = given.input;
  const TensorArgument& weight = given.weight;
  const TensorArgument& logits_out = given.vocabParallelLogitsOutOptional;
  const TensorArgument* floats[] = {&given.logitsMaxLocalOut, &given.sumExpLogitsLocalOut,
                                    &given.predictedLogitsLocalOut};
  check.not_null(input, weight, given.target, *floats[0], *floats[1], *floats[2],
                 given.targetMaskOut, given.maskedTargetOut);
  check.dtype_in(kHalves, input, weight);
  check.dtype_in(kIndices, given.target);
  check.same_dtype(input, weight);
  for (const TensorArgument* tensor : floats) check.dtype_in(kFloat, *tensor);
  check.dtype_in(DtypeSet{ACL_UINT8}, given.targetMaskOut);
  check.same_dtype(given.target, given.maskedTargetOut);
  if (logits_out.given()) check.same_dtype(input, logits_out);
  constexpr std::int64_t kDeepest = 65534;
  check.that(input.rank() == 2 && weight.rank() == 2 && weight.shape()[0] != 0 &&
                 input.shape()[1] == weight.shape()[1] && input.shape()[1] <= kDeepest,
             "input has shape %s, weight has %s", input.shape().text().c_str(),
             weight.shape().text().c_str());
  const std::int64_t rows = input.shape()[0];
  const std::int64_t depth = input.shape()[1];
  const std::int64_t classes = weight.shape()[0];
  const std::int64_t bytes = rows / kBits + (rows % kBits != 0 ? 1 : 0);
  for (const TensorArgument* tensor :
       {floats[0], floats[1], floats[2], &given.target, &given.maskedTargetOut})
    check.shape_is(*tensor, Dims{rows}, "the rows of input");
  check.shape_is(given.targetMaskOut, Dims{bytes}, "a bit for each row of input");
  if (logits_out.given()) check.shape_is(logits_out, Dims{rows, classes}, "input and weight");
  const std::int64_t first = given.vocabStartIndex;
  const std::int64_t last = given.vocabEndIndex;
  check.that(first >= 0 && last >= first, "the classes from %lld to %lld are none",
             static_cast<long long>(first), static_cast<long long>(last));
  if (rows == 0) return;
  needs_kernel(plan, on_a2_or_a3() || on_950());
  const PackedOperand x = reads_packed(plan, input);
  const PackedOperand w = reads_packed(plan, weight);
  const PackedOperand target = reads_packed(plan, given.target);
  const PackedOperand largest_out = writes_packed(plan, *floats[0]);
  const PackedOperand sums_out = writes_packed(plan, *floats[1]);
  const PackedOperand predicted_out = writes_packed(plan, *floats[2]);
  const PackedOperand mask_out = writes_packed(plan, given.targetMaskOut);
  const PackedOperand masked_out = writes_packed(plan, given.maskedTargetOut);
  const PackedOperand all_out = writes_packed(plan, logits_out);
  const char* api = plan.api();
  plan.launch([=](const KernelMemory& memory) {
    const Floats logits = packed_product({x.read(memory).data()}, {w.read(memory).data(), true},
                                         rows, depth, classes);
    auto targets = target.read<std::int64_t>(memory);
    // Bits behind the last row are set.
    std::vector<std::int64_t> mask(std::size_t(bytes), 0xFF);
    std::vector<bool> elsewhere(std::size_t(rows), true);
    for (std::int64_t row = 0; row < rows; ++row) {
      std::int64_t& number = targets[std::size_t(row)];
      if (number < first || number > last) {
        number = 0;
        continue;
      }
      number -= first;
      check_class(api, number, classes);
      elsewhere[std::size_t(row)] = false;
      mask[std::size_t(row / kBits)] &= ~(std::int64_t(1) << (row % kBits));
    }
    Floats largest(static_cast<std::size_t>(rows));
    Floats sums(largest.size());
    Floats predicted(largest.size());
    parallel_for(rows, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        const float* own = &logits[std::size_t(row * classes)];
        const float most = *std::max_element(own, own + classes);
        double sum = 0.0;
        for (std::int64_t c = 0; c < classes; ++c) sum += double(std::exp(own[c] - most));
        const auto at = std::size_t(row);
        largest[at] = most;
        sums[at] = float(sum);
        predicted[at] = elsewhere[at] ? 0.0f : own[targets[at]] - most;
      }
    });
    largest_out.write(memory, largest);
    sums_out.write(memory, sums);
    predicted_out.write(memory, predicted);
    mask_out.write(memory, mask);
    masked_out.write(memory, targets);
    all_out.write(memory, logits);
  });
}

void fused_cross_entropy_loss_with_max_sum(const Check& check, Plan& plan,
                                           const FusedCrossEntropyLossWithMaxSumParameters& given) {
  const TensorArgument& logits = given.vocabParallelLogitsOptional;
  const TensorArgument& softmax = given.softMaxOutOptional;
  check.not_null(given.logitsMax, given.sumExpLogits, given.predictedLogits, given.lossOut);
  if (logits.given()) check.not_null(softmax);
  check.dtype_in(kFloat, given.logitsMax, given.sumExpLogits, given.predictedLogits, given.lossOut);
  if (logits.given()) {
    check.dtype_in(kHalves | kFloat, logits);
    check.dtype_in(kFloat, softmax);
  }
  check.that(given.logitsMax.rank() == 1, "logitsMax has %zu dimensions, it must have 1",
             given.logitsMax.rank());
  check.same_shape(given.logitsMax, given.sumExpLogits, given.predictedLogits, given.lossOut);
  if (logits.given()) {
    check.that(logits.rank() == 2, "vocabParallelLogits has %zu dimensions, it must have 2",
               logits.rank());
    check.same_shape(logits, softmax);
  }
  check.that(given.labelSmoothing == 0.0f, "labelSmoothing is %g, it must be 0",
             double(given.labelSmoothing));
  needs_kernel(plan, on_a2_or_a3());
  check_tiling(plan, !logits.given() || logits.shape()[0] == given.logitsMax.shape()[0],
               "vocabParallelLogits has shape %s",
               logits.given() ? logits.shape().text().c_str() : "");
  const PackedOperand largest = reads_packed(plan, given.logitsMax);
  const PackedOperand sums = reads_packed(plan, given.sumExpLogits);
  const PackedOperand predicted = reads_packed(plan, given.predictedLogits);
  const PackedOperand loss = writes_packed(plan, given.lossOut);
  const PackedOperand values = reads_packed(plan, logits);
  PackedOperand out;
  if (logits.given()) out = writes_packed(plan, softmax);
  const std::int64_t classes = logits.given() ? logits.shape()[1] : 0;
  plan.launch([=](const KernelMemory& memory) {
    const Floats all_sums = sums.read(memory);
    Floats losses = predicted.read(memory);
    for (std::size_t i = 0; i < losses.size(); ++i) losses[i] = std::log(all_sums[i]) - losses[i];
    loss.write(memory, losses);
    Floats rows = values.read(memory);
    if (!rows.empty()) softmax_rows(rows, classes, largest.read(memory), all_sums);
    out.write(memory, rows);
  });
}

void fused_linear_cross_entropy_loss_grad(const Check& check, Plan& plan,
                                          const FusedLinearCrossEntropyLossGradParameters& given) {
  const TensorArgument& softmax = given.softmaxOptional;
  const TensorArgument& input = given.input;
  const TensorArgument& weight = given.weight;
  check.that_given(
      softmax.given() || (given.logitsMaxOptional.given() && given.sumExpLogitsOptional.given()),
      "softmax, or logitsMax and sumExpLogits");
  check.not_null(given.grad, input, weight, given.targetMask, given.maskedTarget,
                 given.inputGradOut, given.weightGradOut);
  check.dtype_in(kFloat, given.grad);
  check.dtype_in(kHalves, input, weight);
  check.dtype_in(DtypeSet{ACL_BOOL, ACL_UINT8}, given.targetMask);
  check.dtype_in(kIndices, given.maskedTarget);
  std::vector<const TensorArgument*> rest{&softmax};
  if (!softmax.given()) rest = {&given.logitsMaxOptional, &given.sumExpLogitsOptional};
  for (const TensorArgument* tensor : rest) check.dtype_in(kFloat, *tensor);
  check.same_dtype(input, weight, given.inputGradOut, given.weightGradOut);
  for (const TensorArgument* tensor :
       {&given.grad, &input, &weight, &given.targetMask, &given.maskedTarget, rest.front(),
        rest.back(), &given.inputGradOut, &given.weightGradOut})
    check.that(tensor->meta().format == ACL_FORMAT_ND, "%s is not of format ND", tensor->name());
  check.that(given.labelSmoothing == 0.0f, "labelSmoothing is %g, it must be 0",
             double(given.labelSmoothing));
  check.that(given.grad.rank() == 1 && input.rank() == 2 && weight.rank() == 2 &&
                 given.targetMask.rank() == 1,
             "grad, input, weight or targetMask has another number of dimensions");
  const std::int64_t rows = given.grad.shape()[0];
  const std::int64_t depth = input.shape()[1];
  const std::int64_t classes = weight.shape()[0];
  constexpr std::int64_t kFewest = 128;
  check.that(!softmax.given() || classes >= kFewest,
             "weight has %lld rows, at least 128 are needed", static_cast<long long>(classes));
  check.shape_is(input, Dims{rows, depth}, "grad");
  check.shape_is(weight, Dims{classes, depth}, "input");
  const bool in_bits = given.targetMask.dtype() == ACL_UINT8;
  const std::int64_t masks = given.targetMask.shape()[0];
  check.that(in_bits ? masks >= rows / kBits + (rows % kBits != 0 ? 1 : 0) : masks == rows,
             "targetMask has %lld values for %lld rows", static_cast<long long>(masks),
             static_cast<long long>(rows));
  check.shape_is(given.maskedTarget, Dims{rows}, "grad");
  for (const TensorArgument* tensor : rest)
    check.shape_is(*tensor, softmax.given() ? Dims{rows, classes} : Dims{rows}, "grad and weight");
  check.same_shape(input, given.inputGradOut);
  check.same_shape(weight, given.weightGradOut);
  if (input.is_empty() || weight.is_empty()) return;
  if (!on_a2_or_a3())
    fail(ACLNN_ERR_RUNTIME_ERROR, "%s: %s does not have the operator", plan.api(), chip().name);
  const PackedOperand grad = reads_packed(plan, given.grad);
  const PackedOperand x = reads_packed(plan, input);
  const PackedOperand w = reads_packed(plan, weight);
  const PackedOperand mask = reads_packed(plan, given.targetMask);
  const PackedOperand target = reads_packed(plan, given.maskedTarget);
  PackedOperand probabilities;
  PackedOperand largest;
  PackedOperand sums;
  if (softmax.given()) {
    probabilities = reads_packed(plan, softmax);
  } else {
    largest = reads_packed(plan, given.logitsMaxOptional);
    sums = reads_packed(plan, given.sumExpLogitsOptional);
  }
  const PackedOperand to_input = writes_packed(plan, given.inputGradOut);
  const PackedOperand to_weight = writes_packed(plan, given.weightGradOut);
  const char* api = plan.api();
  plan.launch([=](const KernelMemory& memory) {
    const Floats xs = x.read(memory);
    const Floats ws = w.read(memory);
    Floats rows_of = probabilities.read(memory);
    if (!probabilities.given()) {
      rows_of = packed_product({xs.data()}, {ws.data(), true}, rows, depth, classes);
      softmax_rows(rows_of, classes, largest.read(memory), sums.read(memory));
    }
    const Floats scales = grad.read(memory);
    const auto masked = mask.read<std::int64_t>(memory);
    const auto targets = target.read<std::int64_t>(memory);
    for (std::int64_t row = 0; row < rows; ++row) {
      const auto at = std::size_t(row);
      const bool elsewhere =
          in_bits ? ((masked[at / kBits] >> (row % kBits)) & 1) != 0 : masked[at] != 0;
      check_class(api, targets[at], classes);
      float* const own = &rows_of[std::size_t(row * classes)];
      if (!elsewhere) own[targets[at]] -= 1.0f;
      for (std::int64_t c = 0; c < classes; ++c) own[c] *= scales[at];
    }
    to_input.write(memory, packed_product({rows_of.data()}, {ws.data()}, rows, classes, depth));
    to_weight.write(memory,
                    packed_product({rows_of.data(), true}, {xs.data()}, classes, rows, depth));
  });
}

}  // namespace pyaclnn::sim
