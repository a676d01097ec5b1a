// Partial results of attention that become one: of two passes, and of any number of devices.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "opapi/attention/layouts.hpp"
#include "opapi/attention/rows.hpp"
#include "opapi/common/batched_view.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "parameters/AttentionUpdate.hpp"
#include "parameters/RingAttentionUpdateV2.hpp"

namespace pyaclnn::sim {
namespace {

/// Results with the statistics of their rows.
struct Partial {
  View rows;  // [batch, heads, rows, depth]
  AttentionStatistics maximum;
  AttentionStatistics sum;
};

struct RingUpdate {
  Partial first;
  Partial second;
  Partial out;
  /// Running sums of the lengths, from 0 on; the sequences lie behind another.
  std::optional<View> lengths;
};

/// Sequences as the running sums on the device say; what lies outside of the rows is left out.
std::vector<AttentionSequence> sequences_of(const RingUpdate& update, const KernelMemory& memory) {
  std::vector<AttentionSequence> sequences;
  AttentionSequence sequence;
  const Dims& shape = update.out.rows.shape;
  if (!update.lengths.has_value()) {
    sequence.rows = shape[2];
    for (; sequence.query_batch < shape[0]; ++sequence.query_batch) sequences.push_back(sequence);
    return sequences;
  }
  const View& lengths = *update.lengths;
  const std::byte* from = memory.operands[lengths.operand];
  std::int64_t before = 0;
  for (std::int64_t i = 0; i < lengths.shape[0]; ++i) {
    std::int64_t sum = 0;
    const std::int64_t at = lengths.offset + i * lengths.strides[0];
    std::memcpy(&sum, from + at * std::int64_t(sizeof sum), sizeof sum);
    sum = std::clamp(sum, before, shape[2]);
    sequence.first_row = before;
    sequence.rows = sum - before;
    if (sequence.rows > 0) sequences.push_back(sequence);
    before = sum;
  }
  return sequences;
}

void run_ring_update(const RingUpdate& update, const KernelMemory& memory) {
  const std::vector<AttentionSequence> sequences = sequences_of(update, memory);
  const RowView first(update.first.rows);
  const RowView second(update.second.rows);
  const RowView out(update.out.rows);
  const StatisticRows first_maximum(update.first.maximum);
  const StatisticRows first_sum(update.first.sum);
  const StatisticRows second_maximum(update.second.maximum);
  const StatisticRows second_sum(update.second.sum);
  const StatisticRows out_maximum(update.out.maximum);
  const StatisticRows out_sum(update.out.sum);
  const std::int64_t heads = update.out.rows.shape[1];
  const std::int64_t depth = update.out.rows.shape[3];
  parallel_for(
      std::int64_t(sequences.size()) * heads, 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> values(std::size_t(2 * depth));
        float* a = values.data();
        float* b = a + depth;
        for (std::int64_t task = begin; task < end; ++task) {
          const AttentionSequence& s = sequences[std::size_t(task / heads)];
          const std::int64_t head = task % heads;
          for (std::int64_t row = 0; row < s.rows; ++row) {
            const float one = first_maximum.load(memory, s, head, row);
            const float other = second_maximum.load(memory, s, head, row);
            const float largest = std::max(one, other);
            const float share = first_sum.load(memory, s, head, row) * std::exp(one - largest);
            const float rest = second_sum.load(memory, s, head, row) * std::exp(other - largest);
            const float total = share + rest;
            out_maximum.store(memory, s, head, row, largest);
            out_sum.store(memory, s, head, row, total);
            first.load(memory, s.query_batch, head, s.first_row + row, 0, depth, a);
            second.load(memory, s.query_batch, head, s.first_row + row, 0, depth, b);
            for (std::int64_t i = 0; i < depth; ++i)
              a[i] = a[i] * (share / total) + b[i] * (rest / total);
            out.store(memory, s.query_batch, head, s.first_row + row, a, depth);
          }
        }
      });
}

}  // namespace

void ring_attention_update(const Check& check, Plan& plan,
                           const RingAttentionUpdateV2Parameters& given) {
  check.same_dtype(given.prevAttnOut, given.curAttnOut, given.attnOutOut);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, given.prevAttnOut);
  const TensorArgument* statistics[] = {&given.prevSoftmaxMax, &given.prevSoftmaxSum,
                                        &given.curSoftmaxMax, &given.curSoftmaxSum};
  const TensorArgument* numbers_of[] = {statistics[0], statistics[1],        statistics[2],
                                        statistics[3], &given.softmaxMaxOut, &given.softmaxSumOut};
  const auto is_float = [](const TensorArgument* t) { return t->dtype() == ACL_FLOAT; };
  check.that(std::any_of(std::begin(numbers_of), std::end(numbers_of), is_float),
             "no maximum and no sum is float32");
  for (const TensorArgument* tensor : {&given.prevAttnOut, &given.curAttnOut})
    check.that(!tensor->is_empty(), "%s has shape %s", tensor->name(),
               tensor->shape().text().c_str());
  const std::string& layout = given.inputLayoutOptional.text;
  const bool is_packed = layout == "TND";
  check.that(is_packed || layout == "SBH", "inputLayout is %s, it must be TND or SBH",
             layout.c_str());
  constexpr std::int64_t kAlike = 8;
  for (const TensorArgument* tensor : statistics)
    check.that(!tensor->is_empty() && tensor->rank() == (is_packed ? 3u : 4u) &&
                   tensor->shape().back() == kAlike,
               "%s has shape %s", tensor->name(), tensor->shape().text().c_str());
  const Dims& shape = given.prevAttnOut.shape();
  constexpr std::int64_t kMostHeads = 256;
  constexpr std::int64_t kMostDepth = 768;
  if (is_packed && shape.size() == 3) {
    check.that(shape[1] <= kMostHeads && shape[2] <= kMostDepth,
               "there are %lld heads of %lld values, at most 256 of 768 are allowed", ll(shape[1]),
               ll(shape[2]));
  }
  check.that_given(!is_packed || given.actualSeqQlenOptional.given(), "actualSeqQlen");
  needs_kernel(plan, on_a2_or_a3() || on_950());
  check_tiling(plan, shape.size() == 3, "prevAttnOut has shape %s", shape.text().c_str());
  const Dims& alike = given.prevSoftmaxMax.shape();
  const std::string& rows_layout = given.inputSoftmaxLayoutOptional.text;
  check_tiling(plan, rows_layout.empty() || rows_layout == "SBH" || rows_layout == "TND",
               "inputSoftmaxLayout is %s, it must be empty, SBH or TND", rows_layout.c_str());
  const bool fits = is_packed ? alike[0] == shape[0] && alike[1] == shape[1]
                              : alike[0] == shape[1] && alike[2] == shape[0];
  check_tiling(plan, fits, "prevSoftmaxMax has shape %s, prevAttnOut has %s", alike.text().c_str(),
               shape.text().c_str());
  for (const TensorArgument* tensor : {&given.curAttnOut, &given.attnOutOut})
    check_tiling(plan, tensor->shape() == shape, "%s has shape %s, prevAttnOut has %s",
                 tensor->name(), tensor->shape().text().c_str(), shape.text().c_str());
  for (const TensorArgument* tensor :
       {statistics[1], statistics[2], statistics[3], &given.softmaxMaxOut, &given.softmaxSumOut})
    check_tiling(plan, tensor->shape() == alike, "%s has shape %s, prevSoftmaxMax has %s",
                 tensor->name(), tensor->shape().text().c_str(), alike.text().c_str());
  for (const TensorArgument* tensor : numbers_of)
    check_tiling(plan, is_float(tensor), "%s is not float32", tensor->name());
  const std::int64_t heads = is_packed ? shape[1] : alike[1];
  constexpr std::int64_t kBlock = 64;
  check_tiling(plan, is_packed ? shape[2] % kBlock == 0 : shape[2] % heads == 0,
               "%lld values do not make %lld heads", ll(shape[2]), ll(heads));

  RingUpdate update;
  if (is_packed) {
    const TensorArgument& lengths = given.actualSeqQlenOptional;
    check_tiling(plan, lengths.dtype() == ACL_INT64 && lengths.rank() == 1,
                 "actualSeqQlen is no list of int64");
    plan.stage(lengths).contiguous();
    if (rows_layout != "TND") update.lengths = plan.reads(lengths);
  }
  for (const TensorArgument* tensor : {&given.prevAttnOut, &given.curAttnOut, statistics[0],
                                       statistics[1], statistics[2], statistics[3]})
    plan.stage(*tensor).contiguous();
  plan.result(given.prevAttnOut.dtype(), shape).copy_to(given.attnOutOut);
  plan.result(ACL_FLOAT, alike).copy_to(given.softmaxMaxOut);
  plan.result(ACL_FLOAT, alike).copy_to(given.softmaxSumOut);
  const auto numbers = [&](const View& view) {
    if (!is_packed) return AttentionStatistics{view};
    return AttentionStatistics{by_heads(view, layout, heads), update.lengths.has_value()};
  };
  update.first = {by_heads(plan.reads(given.prevAttnOut), layout, heads),
                  numbers(plan.reads(*statistics[0])), numbers(plan.reads(*statistics[1]))};
  update.second = {by_heads(plan.reads(given.curAttnOut), layout, heads),
                   numbers(plan.reads(*statistics[2])), numbers(plan.reads(*statistics[3]))};
  update.out = {by_heads(plan.writes(given.attnOutOut), layout, heads),
                numbers(plan.writes(given.softmaxMaxOut)),
                numbers(plan.writes(given.softmaxSumOut))};
  plan.launch([update = std::move(update)](const KernelMemory& memory) {
    run_ring_update(update, memory);
  });
}

void attention_update(const Check& check, Plan& plan, const AttentionUpdateParameters& given) {
  const std::vector<TensorArgument>& powers = given.lse.tensors;
  const std::vector<TensorArgument>& parts = given.localOut.tensors;
  const bool wants_lse = given.updateType == 1;
  check.that(wants_lse || given.updateType == 0, "updateType is %lld, it must be 0 or 1",
             ll(given.updateType));
  check.that(wants_lse == given.lseOut.given(), "updateType is %lld and lseOut is %s",
             ll(given.updateType), given.lseOut.given() ? "given" : "null");
  check.not_null(given.lse);
  for (const TensorArgument& tensor : powers) check.not_null(tensor);
  check.not_null(given.localOut);
  for (const TensorArgument& tensor : parts) check.not_null(tensor);
  check.not_null(given.out);
  const DtypeSet floats{ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
  for (const TensorArgument& tensor : powers)
    if (!tensor.is_empty()) check.dtype_in(DtypeSet{ACL_FLOAT}, tensor);
  for (const TensorArgument& tensor : parts)
    if (!tensor.is_empty()) check.dtype_in(floats, tensor);
  check.dtype_in(floats, given.out);
  constexpr std::size_t kMostParts = 16;
  check.that(!powers.empty() && powers.size() <= kMostParts && parts.size() == powers.size(),
             "lse has %zu tensors and localOut %zu, 1 to 16 of each are allowed", powers.size(),
             parts.size());
  const Dims& shape = parts[0].shape();
  check.that(powers[0].rank() == 1 && shape.size() == 2, "lse has shape %s, localOut has %s",
             powers[0].shape().text().c_str(), shape.text().c_str());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    check.shape_is(powers[i], powers[0].shape(), "lse[0]");
    check.shape_is(parts[i], shape, "localOut[0]");
  }
  constexpr std::int64_t kMostDepth = 512;
  constexpr std::int64_t kDepthStep = 8;
  check.that(shape[1] > 0 && shape[1] % kDepthStep == 0 && shape[1] <= kMostDepth,
             "heads have %lld values, it must be a multiple of 8, at most 512", ll(shape[1]));
  check.that(powers[0].shape()[0] == shape[0], "lse has %lld values, localOut has %lld rows",
             ll(powers[0].shape()[0]), ll(shape[0]));
  check.shape_is(given.out, shape, "localOut");
  if (wants_lse) check.shape_is(given.lseOut, powers[0].shape(), "lse");
  if (shape[0] == 0) return;
  check_inside(plan, on_a2_or_a3() || on_950(), "there is no kernel for this chip");
  const auto types = [&](bool holds, const char* what) {
    if (on_950())
      check.that(holds, "%s", what);
    else
      check_inside(plan, holds, "%s", what);
  };
  for (const TensorArgument& tensor : parts)
    types(tensor.dtype() == given.out.dtype(), "localOut and out differ in type");
  types(!wants_lse || given.lseOut.dtype() == ACL_FLOAT, "lseOut is not float32");

  std::vector<BatchedView> from;
  std::vector<BatchedView> weights;
  for (const TensorArgument& tensor : parts) from.emplace_back(plan.reads(tensor), 1);
  for (const TensorArgument& tensor : powers) {
    View view = plan.reads(tensor);
    const std::int64_t step = view.strides[0];
    view.shape = {view.shape[0], 1};
    view.strides = {step, 1};
    weights.emplace_back(view, 1);
  }
  plan.result(given.out.dtype(), shape).copy_to(given.out);
  const BatchedView to(plan.writes(given.out), 1);
  BatchedView power;
  if (wants_lse) {
    plan.result(ACL_FLOAT, powers[0].shape()).copy_to(given.lseOut);
    View view = plan.writes(given.lseOut);
    const std::int64_t step = view.strides[0];
    view.shape = {view.shape[0], 1};
    view.strides = {step, 1};
    power = BatchedView(view, 1);
  }
  const LoadFn load = loader<float>(given.out.dtype());
  const StoreFn store = storer<float>(given.out.dtype(), Rounding::kNearestEven);
  plan.launch([=](const KernelMemory& memory) {
    constexpr float kInf = std::numeric_limits<float>::infinity();
    constexpr std::int64_t kGrain = 64;
    parallel_for(to.count(), kGrain, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> scores(from.size());
      std::vector<float> row(std::size_t(to.size()));
      std::vector<float> sums(row.size());
      for (std::int64_t i = begin; i < end; ++i) {
        float largest = -kInf;
        for (std::size_t part = 0; part < from.size(); ++part) {
          std::memcpy(&scores[part], weights[part].base(memory) + weights[part].plane_bytes(i),
                      sizeof(float));
          // A part that has seen nothing says so by infinity.
          if (scores[part] == kInf) scores[part] = -kInf;
          largest = std::max(largest, scores[part]);
        }
        float total = 0;
        for (float score : scores) total += std::exp(score - largest);
        const float lse = largest + std::log(total);
        std::fill(sums.begin(), sums.end(), 0.0f);
        for (std::size_t part = 0; part < from.size(); ++part) {
          from[part].load(load, from[part].base(memory) + from[part].plane_bytes(i), sizeof(float),
                          row.data());
          const float weight = std::exp(scores[part] - lse);
          for (std::size_t k = 0; k < row.size(); ++k) sums[k] += row[k] * weight;
        }
        to.store(store, sums.data(), sizeof(float), to.base(memory) + to.plane_bytes(i));
        if (wants_lse) std::memcpy(power.base(memory) + power.plane_bytes(i), &lse, sizeof lse);
      }
    });
  });
}

}  // namespace pyaclnn::sim
