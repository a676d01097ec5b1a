// SPDX-License-Identifier: MIT
#include <algorithm>

#include "opapi/attention/infer_plan.hpp"
#include "opapi/attention/tree_mask.hpp"
#include "opapi/common/batched_view.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/copy/contiguous.hpp"

namespace pyaclnn::sim {
namespace {

enum SparseMode : std::int64_t {
  kWholeMask = 0,
  kAllMask = 1,
  kLeftUp = 2,
  kRightDown = 3,
  kBand,
  kTree = 9
};

constexpr std::int64_t kTriangle = 2048;  // extents of the mask that stands for a triangle

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

/// The mask of a tree: of the last columns of sequences with rotary parts.
void plan_tree(Plan& plan, const InferCall& given, InferPlan& call) {
  const TensorArgument& mask = given.attenMaskOptional;
  check_tiling(plan,
               given.queryRopeOptional.given() && !given.pseShiftOptional.given() &&
                   !given.keySharedPrefixOptional.given() && !call.row_padding.has_value() &&
                   !call.column_padding.has_value() && given.attentionOut.dtype() != ACL_INT8,
               "sparseMode 9 goes with rotary parts, and without pseShift, prefix and paddings");
  std::int64_t pairs = 0;
  for (const AttentionSequence& sequence : call.attention.sequences) {
    check_tiling(plan, sequence.columns == 0 || sequence.columns >= sequence.rows,
                 "a sequence has %lld queries and %lld keys", ll(sequence.rows),
                 ll(sequence.columns));
    pairs += sequence.rows * sequence.rows;
  }
  const Dims& shape = mask.shape();
  const bool fits = call.has_tokens ? shape.size() == 1 && shape[0] >= pairs
                                    : shape.size() == 3 && shape[0] == call.batch &&
                                          shape[1] >= call.rows && shape[2] >= call.rows;
  check_tiling(plan, fits, "attenMask has shape %s, for sparseMode 9 it has the queries' pairs",
               shape.text().c_str());
  TreeMask tree{contiguous_view(plan, mask), 0, 0};
  if (!call.has_tokens) {
    tree.batch = shape[1] * shape[2];
    tree.line = shape[2];
  }
  const View view = launch_tree_mask(plan, tree, call.attention.sequences, call.rows, call.columns);
  call.attention.mask = broadcast_view(view, Dims{call.batch, call.heads, call.rows, call.columns});
}

}  // namespace

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

void plan_mask(const Check& check, Plan& plan, const InferCall& given, bool may_be_tree,
               InferPlan& call) {
  const TensorArgument& mask = given.attenMaskOptional;
  const bool ignores_mode = call.is_step() && !call.has_tokens && given.sparseMode != kTree;
  const std::int64_t mode = ignores_mode ? std::int64_t(kWholeMask) : given.sparseMode;
  const bool is_tree = mode == kTree && may_be_tree;
  check_tiling(plan, (mode >= 0 && mode <= kBand) || is_tree,
               "sparseMode is %lld, it must be from 0 to 4", ll(mode));
  if (!mask.given()) {
    check_tiling(plan, mode == kWholeMask, "sparseMode is %lld and attenMask is null", ll(mode));
    return;
  }
  check.dtype_in(DtypeSet{ACL_BOOL, ACL_INT8, ACL_UINT8}, mask);
  if (is_tree) return plan_tree(plan, given, call);
  plan.stage(mask).contiguous();
  const auto bound = [](std::int64_t tokens, std::int64_t shift) {
    return std::clamp(tokens, -AttentionSequence::kUnbounded, AttentionSequence::kUnbounded) +
           shift;
  };
  for (AttentionSequence& sequence : call.attention.sequences) {
    const std::int64_t more = sequence.columns - sequence.rows;
    if (mode == kLeftUp) sequence.ahead = 0;
    if (mode == kRightDown) sequence.ahead = more;
    if (mode == kBand) {
      sequence.behind = bound(given.preTokens, -more);
      sequence.ahead = bound(given.nextTokens, more);
    }
    if (mode == kWholeMask && !ignores_mode) {
      sequence.behind = bound(given.preTokens, 0);
      sequence.ahead = bound(given.nextTokens, 0);
    }
  }
  if (mode >= kLeftUp) {
    const Dims& shape = mask.shape();
    bool is_triangle = shape.size() >= 2 && shape.size() <= 4;
    for (std::size_t i = 0; i < shape.size(); ++i)
      is_triangle = is_triangle && shape[i] == (i + 2 < shape.size() ? 1 : kTriangle);
    check_tiling(plan, is_triangle,
                 "attenMask has shape %s, for sparseMode %lld it is [2048, 2048]",
                 shape.text().c_str(), ll(mode));
    return;
  }
  const Dims scores{call.batch, call.heads, call.rows, call.columns};
  const View view = with_row(plan.reads(mask), ignores_mode);
  check_tiling(plan, view.shape.size() == 2 || view.shape.size() == 4,
               "attenMask has %zu dimensions, it must have 2 to 4", mask.rank());
  check_tiling(plan, view.shape.size() == 2 || view.shape[1] == 1,
               "attenMask has shape %s, it must not differ between heads",
               mask.shape().text().c_str());
  call.attention.mask = spread(plan, view, scores, "attenMask");
}

}  // namespace pyaclnn::sim
