// Attention of latent vectors to single keys, or a few, whose indices are given, and its gradients.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/status.hpp"
#include "opapi/attention/rows.hpp"
#include "opapi/attention/sparse_plans.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/integers.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "parameters/SparseFlashAttention.hpp"
#include "parameters/SparseFlashAttentionGrad.hpp"

namespace pyaclnn::sim {
namespace {

/// Sequences of a tensor of lengths, which only the run knows.
struct DeviceLengths {
  std::optional<View> rows;
  std::optional<View> columns;
  bool has_packed_rows = false;
  bool has_packed_columns = false;
  bool has_paged_columns = false;
  bool sees_right_down = false;
};

Lengths read_lengths(const std::optional<View>& given, bool are_sums, const View& rows,
                     std::size_t batch, const KernelMemory& memory) {
  if (!given.has_value()) return Lengths(batch, rows.shape[2]);
  return lengths_of(integers_of(*given, memory), are_sums);
}

/// Lengths are data: what lies behind the last token is none.
Sequences sequences_in(const Attention& attention, const DeviceLengths& lengths,
                       const KernelMemory& memory) {
  const auto batch = std::size_t(attention.query.view.shape[0]);
  const Lengths rows =
      read_lengths(lengths.rows, lengths.has_packed_rows, attention.query.view, batch, memory);
  const Lengths columns = read_lengths(lengths.columns, lengths.has_packed_columns,
                                       attention.key.view, rows.size(), memory);
  Sequences sequences =
      sequences_of(rows, columns, lengths.has_packed_rows, lengths.has_packed_columns);
  const std::int64_t most_rows = attention.query.view.shape[2];
  std::int64_t most_columns = attention.key.view.shape[2];
  if (lengths.has_paged_columns) most_columns *= attention.key.pages->shape[1];
  for (AttentionSequence& s : sequences) {
    s.first_row = std::min(s.first_row, most_rows);
    s.rows = std::min(s.rows, most_rows - s.first_row);
    s.first_column = std::min(s.first_column, most_columns);
    s.columns = std::min(s.columns, most_columns - s.first_column);
    if (lengths.has_paged_columns) s.key_batch = 0;
  }
  if (lengths.sees_right_down) see_right_down(sequences);
  return sequences;
}

void check_lengths(const Plan& plan, const TensorArgument& lengths, std::int64_t batch) {
  check_tiling(plan, lengths.dtype() == ACL_INT32 && lengths.shape() == Dims{batch},
               "%s has shape %s, it must have a number of int32 for each of %lld samples",
               lengths.name(), lengths.shape().text().c_str(), ll(batch));
}

/// One head of keys, for a power of two of queries.
void check_one_head(const Plan& plan, std::int64_t heads, std::int64_t key_heads) {
  check_tiling(plan, key_heads == 1, "key has %lld heads, it must have 1", ll(key_heads));
  constexpr std::int64_t kMost = 128;
  const bool is_power = heads > 0 && (heads & (heads - 1)) == 0;
  check_tiling(plan, heads > 0 && heads <= kMost && (is_power || on_950()),
               "query has %lld heads, it must have a power of 2 up to 128", ll(heads));
}

/// A number of each row and head of queries, by the one head of keys: [batch, 1, rows, heads] or
/// [1, rows, heads].
Dims grouped_shape(const TensorArgument& query) {
  const Dims& shape = query.shape();
  if (shape.size() == 3) return {1, shape[0], shape[1]};
  return {shape[0], 1, shape[1], shape[2]};
}

AttentionStatistics grouped(View view) {
  const std::size_t rank = view.shape.size();
  const std::int64_t batch = rank == 4 ? view.shape[0] : 1;
  const std::int64_t batch_step = rank == 4 ? view.strides[0] : 0;
  const Dims shape{batch, view.shape[rank - 1], view.shape[rank - 2], 1};
  const Dims strides{batch_step, view.strides[rank - 1], view.strides[rank - 2], 1};
  view.shape = shape;
  view.strides = strides;
  return {view};
}

/// The rope's parts are like query and key but for the depth.
void check_rope(const Plan& plan, const TensorArgument& whole, const TensorArgument& rope,
                std::int64_t depth) {
  const Dims shape = attended_shape(whole, depth);
  check_tiling(plan, rope.dtype() == whole.dtype() && rope.shape() == shape,
               "%s has shape %s, it must be %s and of the type of %s", rope.name(),
               rope.shape().text().c_str(), shape.text().c_str(), whole.name());
}

void check_indices(const Plan& plan, const TensorArgument& indices, const TensorArgument& query) {
  const std::size_t rank = query.rank();
  bool fits = indices.dtype() == ACL_INT32 && indices.rank() == rank &&
              indices.shape()[rank - 2] == 1 && indices.shape()[rank - 1] > 0;
  for (std::size_t i = 0; fits && i + 2 < rank; ++i) fits = indices.shape()[i] == query.shape()[i];
  check_tiling(plan, fits, "sparseIndices has shape %s, it must have blocks of int32 for each row",
               indices.shape().text().c_str());
}

constexpr std::int64_t kMlaDepth = 512;
constexpr std::int64_t kRopeDepth = 64;

/// Gradients of keys and of values that are one tensor: their sum is rounded once.
struct MergedGradients {
  View key;    // of float32
  View value;  // likewise
  View out;

  void add(const KernelMemory& memory) const {
    const RowView keys(key), values(value), sums(out);
    const std::int64_t count = sums.length();
    std::vector<float> row(static_cast<std::size_t>(count)), more(row.size());
    for (std::int64_t b = 0; b < out.shape[0]; ++b) {
      for (std::int64_t s = 0; s < out.shape[2]; ++s) {
        keys.load(memory, b, 0, s, 0, count, row.data());
        values.load(memory, b, 0, s, 0, count, more.data());
        for (std::size_t i = 0; i < row.size(); ++i) row[i] += more[i];
        sums.store(memory, b, 0, s, row.data(), count);
      }
    }
  }
};

}  // namespace

void sparse_flash_attention(const Check& check, Plan& plan,
                            const SparseFlashAttentionParameters& given) {
  const bool returns = given.returnSoftmaxLse;
  // CANN answers with a status of its graphs.
  if (returns && !(given.softmaxMax.given() && given.softmaxSum.given()))
    fail(static_cast<aclError>(-1), "%s: softmaxMax or softmaxSum is null", plan.api());
  const TensorArgument& query = given.query;
  const TensorArgument& key = given.key;
  const TensorArgument& value = given.value.given() ? given.value : given.key;
  const TensorArgument& indices = given.sparseIndices;
  check.not_null(query, key, indices, given.attentionOut);
  needs_kernel(plan, on_a2_or_a3() || on_950());
  check.dtype_in(kHalves, query);
  check.same_dtype(query, key, value, given.attentionOut);
  check.dtype_in(DtypeSet{ACL_INT32}, indices);
  const std::string layout =
      given.layoutQueryOptional.given() ? given.layoutQueryOptional.text : "BSND";
  const std::string key_layout =
      given.layoutKvOptional.given() ? given.layoutKvOptional.text : "BSND";
  check_tiling(plan, layout == "BSND" || layout == "TND", "layoutQuery is %s", layout.c_str());
  const bool is_paged = key_layout == "PA_BSND";
  check_tiling(plan, is_paged || key_layout == layout, "layoutQuery is %s, layoutKv is %s",
               layout.c_str(), key_layout.c_str());
  const std::int64_t mode = given.sparseMode;
  check_tiling(plan, mode == 0 || mode == 3, "sparseMode is %lld, it must be 0 or 3", ll(mode));
  constexpr std::int64_t kMostBlock = 128;
  const std::int64_t size = given.sparseBlockSizeOptional;
  check_tiling(
      plan, size > 0 && size <= kMostBlock && (size & (size - 1)) == 0 && (size == 1 || !on_950()),
      "sparseBlockSize is %lld, it must be a power of 2 up to 128, on the 950 1", ll(size));
  check_tiling(plan, given.preTokens == INT64_MAX && given.nextTokens == INT64_MAX,
               "preTokens and nextTokens must be 9223372036854775807");
  check_tiling(plan, given.attentionMode == 2, "attentionMode is %lld, it must be 2",
               ll(given.attentionMode));
  const std::string keys_layout = is_paged ? "BSND" : key_layout;
  const std::size_t rank = rank_of_layout(layout);
  const std::size_t key_rank = rank_of_layout(keys_layout);
  check_tiling(plan,
               query.rank() == rank && key.rank() == key_rank && value.shape() == key.shape() &&
                   !query.is_empty() && !key.is_empty(),
               "query, key and value have shapes %s, %s and %s", query.shape().text().c_str(),
               key.shape().text().c_str(), value.shape().text().c_str());
  check_one_head(plan, query.shape()[rank - 2], key.shape()[key_rank - 2]);
  check_tiling(plan, query.shape()[rank - 1] == kMlaDepth && key.shape()[key_rank - 1] == kMlaDepth,
               "heads have %lld and %lld values, they must have 512", ll(query.shape()[rank - 1]),
               ll(key.shape()[key_rank - 1]));
  check_tiling(plan, given.queryRopeOptional.given() && given.keyRopeOptional.given(),
               "queryRope or keyRope is null");
  check_rope(plan, query, given.queryRopeOptional, kRopeDepth);
  check_rope(plan, key, given.keyRopeOptional, kRopeDepth);
  check_indices(plan, indices, query);
  const TensorArgument& rows = given.actualSeqLengthsQueryOptional;
  const TensorArgument& columns = given.actualSeqLengthsKvOptional;
  check_tiling(plan,
               (layout == "BSND" || rows.given()) && (key_layout == "BSND" || columns.given()),
               "TND and PA_BSND need actualSeqLengthsQuery and actualSeqLengthsKv");
  check_tiling(plan, !rows.given() || rows.rank() == 1, "actualSeqLengthsQuery has %zu dimensions",
               rows.given() ? rows.rank() : 0);
  const std::int64_t batch = layout == "BSND" ? query.shape()[0] : rows.shape()[0];
  check_tiling(plan, batch > 0 && (key_layout != "BSND" || key.shape()[0] == batch),
               "there are %lld samples of queries", ll(batch));
  DeviceLengths lengths;
  for (const TensorArgument* own : {&rows, &columns}) {
    if (!own->given()) continue;
    check_lengths(plan, *own, batch);
    plan.stage(*own).contiguous();
    (own == &rows ? lengths.rows : lengths.columns) = plan.reads(*own);
  }
  lengths.has_packed_rows = layout == "TND";
  lengths.has_packed_columns = key_layout == "TND";
  lengths.has_paged_columns = is_paged;
  lengths.sees_right_down = mode == 3;
  Attention attention;
  attention.query.view = staged_heads(plan, query, layout);
  attention.query.rope = staged_heads(plan, given.queryRopeOptional, layout);
  attention.key.view = staged_heads(plan, key, keys_layout);
  attention.key.rope = staged_heads(plan, given.keyRopeOptional, keys_layout);
  attention.value.view = staged_heads(plan, value, keys_layout);
  const TensorArgument& table = given.blockTableOptional;
  check_tiling(plan, is_paged == table.given(), "blockTable is for layoutKv PA_BSND");
  if (is_paged) {
    constexpr std::int64_t kMostPage = 1024;
    const std::int64_t page = key.shape()[1];
    check_tiling(plan, page <= kMostPage && page % 16 == 0 && page % size == 0,
                 "pages have %lld keys, they must have a multiple of 16 up to 1024", ll(page));
    check_tiling(plan, table.dtype() == ACL_INT32 && table.rank() == 2 && table.shape()[0] == batch,
                 "blockTable has shape %s", table.shape().text().c_str());
    plan.stage(table).contiguous();
    attention.key.pages = attention.value.pages = plan.reads(table);
  }
  AttentionLists lists;
  lists.view = staged_heads(plan, indices, layout);
  lists.column_block = size;
  lists.is_packed = layout == "TND";
  attention.lists = lists;
  attention.scale = static_cast<float>(given.scaleValue);
  attention.out = laid_out_result(plan, query.dtype(), query.shape(), given.attentionOut, layout);
  launch_zero(plan, given.attentionOut);
  if (returns) {
    check_tiling(plan, !is_paged, "returnSoftmaxLse is not for pages");
    const Dims shape = grouped_shape(query);
    for (const TensorArgument* out : {&given.softmaxMax, &given.softmaxSum}) {
      plan.result(ACL_FLOAT, shape).copy_to(*out);
      launch_zero(plan, *out);
    }
    attention.maximum = grouped(plan.writes(given.softmaxMax));
    attention.sum = grouped(plan.writes(given.softmaxSum));
  }
  plan.launch([attention = std::move(attention), lengths](const KernelMemory& memory) {
    Attention own = attention;
    own.sequences = sequences_in(attention, lengths, memory);
    run_attention(own, memory);
  });
}

void sparse_flash_attention_grad(const Check& check, Plan& plan,
                                 const SparseFlashAttentionGradParameters& given) {
  const TensorArgument& query = given.query;
  const TensorArgument& key = given.key;
  check.not_null(query, key, given.sparseIndices, given.dOut, given.out, given.softmaxMax,
                 given.softmaxSum, given.dQueryOut, given.dKeyOut);
  check.that_given(given.value.given() == given.dValueOut.given(), "value or dValueOut");
  needs_kernel(plan, on_a2_or_a3() || on_950());
  // Without a value it is the key, and its gradient has both.
  const bool is_merged = !given.value.given();
  const TensorArgument& value = is_merged ? key : given.value;
  check.dtype_in(kHalves, query);
  check.same_dtype(query, key, value, given.dOut, given.out, given.dQueryOut, given.dKeyOut);
  if (!is_merged) check.same_dtype(query, given.dValueOut);
  check.dtype_in(DtypeSet{ACL_FLOAT}, given.softmaxMax, given.softmaxSum);
  check.dtype_in(DtypeSet{ACL_INT32}, given.sparseIndices);
  const std::string layout = given.layoutOptional.given() ? given.layoutOptional.text : "BSND";
  check_tiling(plan, layout == "BSND" || layout == "TND", "layout is %s", layout.c_str());
  const std::int64_t mode = given.sparseMode;
  check_tiling(plan, mode == 0 || mode == 3, "sparseMode is %lld, it must be 0 or 3", ll(mode));
  const std::int64_t size = given.sparseBlockSize;
  const bool is_known =
      size == 1 || ((size == 8 || size == 16 || size == 32 || size == 64) && !on_950());
  check_tiling(plan, is_known, "sparseBlockSize is %lld, it must be 1, 8, 16, 32 or 64", ll(size));
  check_operands(plan, check_tiling, query, key, value, layout);
  const std::size_t rank = rank_of_layout(layout);
  check_tiling(plan, !query.is_empty() && !key.is_empty(), "query or key has no elements");
  check_one_head(plan, query.shape()[rank - 2], key.shape()[rank - 2]);
  check_tiling(plan, query.shape()[rank - 1] == kMlaDepth && value.shape()[rank - 1] == kMlaDepth,
               "heads have %lld and %lld values, they must have 512", ll(query.shape()[rank - 1]),
               ll(value.shape()[rank - 1]));
  check_indices(plan, given.sparseIndices, query);
  const TensorArgument& rows = given.actualSeqLengthsQueryOptional;
  const TensorArgument& columns = given.actualSeqLengthsKvOptional;
  DeviceLengths lengths;
  lengths.has_packed_rows = lengths.has_packed_columns = layout == "TND";
  lengths.sees_right_down = mode == 3;
  if (layout == "TND") {
    check_tiling(plan, rows.given() && columns.given() && rows.rank() == 1,
                 "TND needs actualSeqLengthsQuery and actualSeqLengthsKv");
    for (const TensorArgument* own : {&rows, &columns}) {
      check_lengths(plan, *own, rows.shape()[0]);
      plan.stage(*own).contiguous();
      (own == &rows ? lengths.rows : lengths.columns) = plan.reads(*own);
    }
  }
  const TensorArgument& rope = given.queryRopeOptional;
  check_tiling(plan, rope.given() == given.keyRopeOptional.given(),
               "only one of queryRope and keyRope is given");
  AttentionGradients gradients;
  Attention& forward = gradients.forward;
  forward.query.view = staged_heads(plan, query, layout);
  forward.key.view = staged_heads(plan, key, layout);
  forward.value.view = staged_heads(plan, value, layout);
  if (rope.given()) {
    check_rope(plan, query, rope, kRopeDepth);
    check_rope(plan, key, given.keyRopeOptional, kRopeDepth);
    forward.query.rope = staged_heads(plan, rope, layout);
    forward.key.rope = staged_heads(plan, given.keyRopeOptional, layout);
  }
  for (const TensorArgument* saved : {&given.dOut, &given.out})
    check_tiling(plan, saved->shape() == query.shape(), "%s has shape %s", saved->name(),
                 saved->shape().text().c_str());
  for (const TensorArgument* saved : {&given.softmaxMax, &given.softmaxSum}) {
    check_tiling(plan, saved->shape() == grouped_shape(query), "%s has shape %s", saved->name(),
                 saved->shape().text().c_str());
    plan.stage(*saved).contiguous();
    (saved == &given.softmaxMax ? forward.maximum : forward.sum) = grouped(plan.reads(*saved));
  }
  forward.out = staged_heads(plan, given.out, layout);
  gradients.grad = staged_heads(plan, given.dOut, layout);
  AttentionLists lists;
  lists.view = staged_heads(plan, given.sparseIndices, layout);
  lists.column_block = size;
  lists.is_packed = layout == "TND";
  forward.lists = lists;
  forward.scale = static_cast<float>(given.scaleValue);
  std::optional<MergedGradients> merged;
  if (is_merged) {
    gradients.query = laid_out_result(plan, query.dtype(), query.shape(), given.dQueryOut, layout);
    const View out = laid_out_result(plan, key.dtype(), key.shape(), given.dKeyOut, layout);
    const TensorArgument rooms[] = {plan.scratch("key gradients", ACL_FLOAT, key.shape()),
                                    plan.scratch("value gradients", ACL_FLOAT, key.shape())};
    for (const TensorArgument* zero : {&given.dQueryOut, &rooms[0], &rooms[1]})
      launch_zero(plan, *zero);
    gradients.key = by_heads(plan.writes(rooms[0]), layout, 1);
    gradients.value = by_heads(plan.writes(rooms[1]), layout, 1);
    merged = MergedGradients{gradients.key, gradients.value, out};
  } else {
    plan_gradients(plan, gradients, query, key, value, given.dQueryOut, given.dKeyOut,
                   given.dValueOut, layout);
  }
  if (rope.given()) {
    const TensorArgument& query_out = given.dQueryRopeOutOptional;
    const TensorArgument& key_out = given.dKeyRopeOutOptional;
    check.not_null(query_out, key_out);
    gradients.query_rope = laid_out_result(plan, query.dtype(), rope.shape(), query_out, layout);
    gradients.key_rope =
        laid_out_result(plan, query.dtype(), given.keyRopeOptional.shape(), key_out, layout);
    launch_zero(plan, query_out);
    launch_zero(plan, key_out);
  }
  plan.launch([gradients = std::move(gradients), lengths](const KernelMemory& memory) {
    AttentionGradients own = gradients;
    own.forward.sequences = sequences_in(gradients.forward, lengths, memory);
    run_attention_gradients(own, memory);
  });
  if (!merged.has_value()) return;
  plan.launch([merged = *merged](const KernelMemory& memory) { merged.add(memory); });
}

}  // namespace pyaclnn::sim
