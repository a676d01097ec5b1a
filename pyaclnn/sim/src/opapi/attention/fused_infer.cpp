// SPDX-License-Identifier: MIT
#include "opapi/attention/fused_infer.hpp"

#include <algorithm>
#include <utility>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "opapi/attention/attention.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/kernel_checks.hpp"

namespace pyaclnn::sim {
namespace {

enum SparseMode : std::int64_t { kWholeMask = 0, kAllMask = 1, kLeftUp = 2, kRightDown = 3 };

constexpr std::int64_t kTriangle = 2048;  // extents of the mask that stands for a triangle

long long ll(std::int64_t value) { return value; }

/// A tensor as [batch, heads, rows, depth].
View by_heads(const Plan& plan, View view, const std::string& layout, std::int64_t heads,
              const char* name) {
  const std::size_t rank = layout == "BSH" ? 3 : 4;
  check_tiling(plan, view.shape.size() == rank, "%s has %zu dimensions, %s has %zu", name,
               view.shape.size(), layout.c_str(), rank);
  const Dims shape = view.shape;
  const Dims strides = view.strides;
  if (layout == "BSH") {
    check_tiling(plan, shape[2] % heads == 0,
                 "%s has %lld values a token, which make no %lld heads", name, ll(shape[2]),
                 ll(heads));
    const std::int64_t depth = shape[2] / heads;
    view.shape = {shape[0], heads, shape[1], depth};
    view.strides = {strides[0], strides[2] * depth, strides[1], strides[2]};
    return view;
  }
  if (layout == "BSND") {
    view.shape = {shape[0], shape[2], shape[1], shape[3]};
    view.strides = {strides[0], strides[2], strides[1], strides[3]};
  }
  check_tiling(plan, view.shape[1] == heads, "%s has %lld heads, it must have %lld", name,
               ll(view.shape[1]), ll(heads));
  return view;
}

/// Lengths of all samples: none is the whole, one stands for all.
std::vector<std::int64_t> lengths_of(const Plan& plan, const IntArrayIn& given, std::int64_t batch,
                                     std::int64_t most) {
  if (!given.given() || given.values().empty())
    return std::vector<std::int64_t>(std::size_t(batch), most);
  const auto& values = given.values();
  check_tiling(plan, values.size() == 1 || std::int64_t(values.size()) >= batch,
               "%s has %zu values, it must have 1 or %lld", given.name(), values.size(), ll(batch));
  std::vector<std::int64_t> result;
  for (std::int64_t i = 0; i < batch; ++i) {
    result.push_back(values[values.size() == 1 ? 0 : std::size_t(i)]);
    check_tiling(plan, result.back() >= 0 && result.back() <= most,
                 "%s has the value %lld, it must be from 0 to %lld", given.name(),
                 ll(result.back()), ll(most));
  }
  return result;
}

/// A tensor for each pair of row and column, perhaps longer than they are: [batch or 1, ...].
View spread(const Plan& plan, View view, const Dims& scores, const char* name) {
  const Dims shape = view.shape;
  const Dims strides = view.strides;
  const std::size_t rank = shape.size();
  Dims to;
  for (std::size_t i = 0; i < 4; ++i) {
    const bool has = i + rank >= 4;
    const std::int64_t extent = has ? shape[i + rank - 4] : 1;
    const bool fits = i < 2 ? extent == scores[i] || extent == 1 : extent >= scores[i];
    check_tiling(plan, fits, "%s has shape %s, which does not go with scores of shape %s", name,
                 shape.text().c_str(), scores.text().c_str());
    const bool stands = !has || (i < 2 && extent == 1);
    to.push_back(stands ? 0 : strides[i + rank - 4]);
  }
  view.shape = scores;
  view.strides = to;
  return view;
}

/// A mask of one row a sample has fewer dimensions: [B, S], [B, 1, S] or [B, 1, 1, S].
View with_row(View view, bool is_step) {
  const std::size_t rank = view.shape.size();
  if (rank < 2 || rank > 3) return view;
  // A batch in front of the last two, or for one row, of the last.
  const bool has_batch = rank == 3 || is_step;
  if (!has_batch) return view;
  const std::size_t last = rank - 1;
  const bool has_row = rank == 3;
  const std::int64_t rows = has_row ? view.shape[1] : 1;
  const std::int64_t row_step = has_row ? view.strides[1] : 0;
  const Dims shape{view.shape[0], 1, rows, view.shape[last]};
  const Dims strides{view.strides[0], 0, row_step, view.strides[last]};
  view.shape = shape;
  view.strides = strides;
  return view;
}

struct Sizes {
  std::int64_t batch;
  std::int64_t rows;
  std::int64_t columns;
  bool is_step() const { return rows == 1; }
};

void plan_mask(const Check& check, Plan& plan, const FusedInfer& call, const Sizes& sizes,
               Attention& attention) {
  const std::int64_t mode = sizes.is_step() ? std::int64_t(kWholeMask) : call.sparse_mode;
  check_tiling(plan, mode >= 0 && mode <= 4, "sparseMode is %lld, it must be from 0 to 4",
               ll(mode));
  if (mode > kRightDown) fail_not_simulated(plan, "sparseMode 4");
  if (!call.mask.given()) {
    check_tiling(plan, mode == kWholeMask, "sparseMode is %lld and attenMask is null", ll(mode));
    return;
  }
  check.dtype_in(DtypeSet{ACL_BOOL, ACL_INT8, ACL_UINT8}, call.mask);
  plan.stage(call.mask).contiguous();
  if (mode == kLeftUp || mode == kRightDown) {
    const Dims& shape = call.mask.shape();
    bool is_triangle = shape.size() >= 2 && shape.size() <= 4;
    for (std::size_t i = 0; i < shape.size(); ++i)
      is_triangle = is_triangle && shape[i] == (i + 2 < shape.size() ? 1 : kTriangle);
    check_tiling(plan, is_triangle,
                 "attenMask has shape %s, for sparseMode %lld it is [2048, 2048]",
                 shape.text().c_str(), ll(mode));
    for (AttentionSequence& sequence : attention.sequences)
      sequence.ahead = mode == kRightDown ? sequence.columns - sequence.rows : 0;
    return;
  }
  if (mode == kWholeMask && !sizes.is_step() &&
      (call.before < sizes.rows || call.behind < sizes.columns))
    fail_not_simulated(plan, "a band of tokens beside a mask");
  const Dims scores{sizes.batch, call.heads, sizes.rows, sizes.columns};
  const View view = with_row(plan.reads(call.mask), sizes.is_step());
  check_tiling(plan, view.shape.size() == 2 || view.shape.size() == 4,
               "attenMask has %zu dimensions, it must have 2 to 4", call.mask.rank());
  check_tiling(plan, view.shape.size() == 2 || view.shape[1] == 1,
               "attenMask has shape %s, it must not differ between heads",
               call.mask.shape().text().c_str());
  attention.mask = spread(plan, view, scores, "attenMask");
}

}  // namespace

void check_not_given(const Plan& plan, std::initializer_list<const TensorArgument*> tensors) {
  for (const TensorArgument* tensor : tensors) {
    if (tensor->given())
      fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: what %s is for is not simulated", plan.api(),
           tensor->name());
  }
}

void fused_infer_attention(const Check& check, Plan& plan, const FusedInfer& call) {
  check_kernel_exists(plan, config().has_bf16());
  check_tiling(
      plan, call.key.tensors.size() == call.value.tensors.size() && !call.key.tensors.empty(),
      "key has %zu tensors and value %zu", call.key.tensors.size(), call.value.tensors.size());
  if (call.key.tensors.size() > 1) fail_not_simulated(plan, "a list of keys");
  const TensorArgument& key = call.key.tensors[0];
  const TensorArgument& value = call.value.tensors[0];
  check.that(key.given() && value.given(), "key or value holds null");
  const DtypeSet all{ACL_FLOAT16, ACL_BF16, ACL_INT8};
  check.dtype_in(all, call.query, call.out);
  check.dtype_in(all | DtypeSet{ACL_INT32, ACL_INT4}, key, value);
  for (const TensorArgument* tensor : {&call.query, &key, &value, &call.out}) {
    if (tensor->dtype() == ACL_INT8 || tensor->dtype() == ACL_INT32 || tensor->dtype() == ACL_INT4)
      fail_not_simulated(plan, "a quantised tensor");
  }
  check.same_dtype(call.query, key, value, call.out);
  if (call.query.is_empty()) return;

  const std::string& layout = call.layout.text;
  const bool turns = layout == "BNSD_BSND";
  check_tiling(plan, turns || layout == "BSH" || layout == "BSND" || layout == "BNSD",
               "inputLayout is %s, it must be BSH, BSND, BNSD or BNSD_BSND", layout.c_str());
  const std::string from = turns ? "BNSD" : layout;
  check_tiling(plan, call.heads > 0 && call.heads <= 256, "numHeads is %lld, it must be 1 to 256",
               ll(call.heads));
  const std::int64_t key_heads = call.key_heads == 0 ? call.heads : call.key_heads;
  check_tiling(plan, key_heads > 0 && call.heads % key_heads == 0 && call.heads / key_heads <= 64,
               "numKeyValueHeads is %lld, numHeads %lld must be up to 64 times it", ll(key_heads),
               ll(call.heads));
  Attention attention;
  attention.query.view = by_heads(plan, plan.reads(call.query), from, call.heads, "query");
  attention.key.view = by_heads(plan, plan.reads(key), from, key_heads, "key");
  attention.value.view = by_heads(plan, plan.reads(value), from, key_heads, "value");
  const Dims& query = attention.query.view.shape;
  const Dims& columns = attention.key.view.shape;
  const Dims& values = attention.value.view.shape;
  const Sizes sizes{query[0], query[2], columns[2]};
  check_tiling(plan, !turns || !sizes.is_step(), "inputLayout is BNSD_BSND, query has one token");
  for (std::size_t i : {0, 2})
    check_tiling(plan, values[i] == columns[i], "key has shape %s, value has %s",
                 key.shape().text().c_str(), value.shape().text().c_str());
  check_tiling(plan, columns[0] == sizes.batch && columns[3] == query[3],
               "query has shape %s, key has %s", call.query.shape().text().c_str(),
               key.shape().text().c_str());
  for (std::int64_t depth : {query[3], values[3]})
    check_tiling(plan, depth > 0 && depth <= 512 && (sizes.is_step() || depth % 16 == 0),
                 "heads have %lld values, at most 512 and a multiple of 16 are allowed", ll(depth));
  check_tiling(plan, sizes.batch <= 65536, "the batch is %lld, at most 65536", ll(sizes.batch));
  check_tiling(plan, call.inner_precise >= 0 && call.inner_precise <= 3,
               "innerPrecise is %lld, it must be from 0 to 3", ll(call.inner_precise));

  for (const TensorArgument* tensor : {&call.query, &key, &value}) plan.stage(*tensor).contiguous();
  attention.out =
      by_heads(plan, plan.writes(call.out), turns ? "BSND" : layout, call.heads, "attentionOut");
  const Dims expected{query[0], query[1], query[2], values[3]};
  check_tiling(plan, attention.out.shape == expected, "attentionOut has shape %s, query has %s",
               call.out.shape().text().c_str(), call.query.shape().text().c_str());
  plan.result(call.query.dtype(), call.out.shape()).copy_to(call.out);
  if (call.wants_lse) {
    check.not_null(call.lse);
    check.dtype_in(DtypeSet{ACL_FLOAT}, call.lse);
    const Dims shape{sizes.batch, call.heads, sizes.rows, 1};
    check_tiling(plan, call.lse.shape() == shape, "softmaxLse has shape %s, it must be %s",
                 call.lse.shape().text().c_str(), shape.text().c_str());
    plan.result(ACL_FLOAT, shape).copy_to(call.lse);
    attention.lse = plan.writes(call.lse);
  }
  if (sizes.columns == 0) {
    if (call.wants_lse) fail_not_simulated(plan, "softmaxLse without keys");
    return launch_zero(plan, call.out);
  }
  if (!sizes.is_step()) {
    for (std::int64_t length : lengths_of(plan, call.lengths, sizes.batch, sizes.rows))
      if (length != sizes.rows) fail_not_simulated(plan, "queries of different lengths");
  }
  for (std::int64_t length : lengths_of(plan, call.key_lengths, sizes.batch, sizes.columns)) {
    AttentionSequence sequence;
    sequence.query_batch = sequence.key_batch = std::int64_t(attention.sequences.size());
    sequence.rows = sizes.rows;
    sequence.columns = length;
    attention.sequences.push_back(sequence);
  }
  attention.scale = static_cast<float>(call.scale);
  attention.gives_zero_unseen = call.inner_precise >= 2;
  if (call.pse_shift.given()) {
    check.same_dtype(call.query, call.pse_shift);
    check_tiling(plan, call.pse_shift.rank() == 4, "pseShift has %zu dimensions, it must have 4",
                 call.pse_shift.rank());
    plan.stage(call.pse_shift).contiguous();
    AttentionBias bias;
    bias.view = spread(plan, plan.reads(call.pse_shift),
                       Dims{sizes.batch, call.heads, sizes.rows, sizes.columns}, "pseShift");
    attention.bias = bias;
  }
  plan_mask(check, plan, call, sizes, attention);
  launch_attention(plan, std::move(attention));
}

}  // namespace pyaclnn::sim
