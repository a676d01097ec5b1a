// Attention to chosen blocks of keys, and its gradients: the operators that take the choice as a
// list of blocks of each row or as a mask of blocks.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/status.hpp"
#include "opapi/attention/attention_gradients.hpp"
#include "opapi/attention/integers.hpp"
#include "opapi/attention/layouts.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/copy/contiguous.hpp"
#include "parameters/BlockSparseAttentionGrad.hpp"
#include "parameters/BlockSparseAttentionV2.hpp"
#include "parameters/NsaSelectedAttention.hpp"
#include "parameters/NsaSelectedAttentionGrad.hpp"
#include "parameters/NsaSelectedAttentionInfer.hpp"
#include "parameters/RainFusionAttention.hpp"
#include "parameters/SparseFlashAttention.hpp"
#include "parameters/SparseFlashAttentionGrad.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kMostTokens = std::int64_t(1) << 30;  // more than any sequence has
constexpr std::int64_t kEndless = 2147483647;                // of tokens that are no limit

const DtypeSet kHalves{ACL_FLOAT16, ACL_BF16};

using Lengths = std::vector<std::int64_t>;
using Sequences = std::vector<AttentionSequence>;
/// How an operator refuses what its kernel refuses.
using Demand = void (*)(const Plan&, bool, const char*, ...);

long long ll(std::int64_t value) { return value; }

/// Lengths of sequences, which may be given as their running sums.
Lengths lengths_of(const Lengths& given, bool are_sums) {
  Lengths lengths;
  std::int64_t before = 0;
  for (std::int64_t value : given) {
    value = std::clamp(value, -kMostTokens, kMostTokens);
    lengths.push_back(std::max<std::int64_t>(are_sums ? value - before : value, 0));
    before = value;
  }
  return lengths;
}

/// A sequence for each pair of lengths: a batch of its own, or behind another in one.
Sequences sequences_of(const Lengths& rows, const Lengths& columns, bool has_packed_rows,
                       bool has_packed_columns) {
  Sequences sequences;
  AttentionSequence sequence;
  for (std::size_t i = 0; i < std::min(rows.size(), columns.size()); ++i) {
    sequence.rows = rows[i];
    sequence.columns = columns[i];
    if (!has_packed_rows) sequence.query_batch = std::int64_t(i);
    if (!has_packed_columns) sequence.key_batch = std::int64_t(i);
    sequences.push_back(sequence);
    if (has_packed_rows) sequence.first_row += rows[i];
    if (has_packed_columns) sequence.first_column += columns[i];
  }
  return sequences;
}

/// Rows, or columns, from that behind the last on.
std::int64_t end_of(const Sequences& sequences, bool of_columns) {
  std::int64_t end = 0;
  for (const AttentionSequence& s : sequences)
    end = std::max(end, of_columns ? s.first_column + s.columns : s.first_row + s.rows);
  return end;
}

/// What stands in the sequences is in the tensors.
void check_fits(const Plan& plan, Demand demand, const Attention& attention) {
  const std::int64_t rows = end_of(attention.sequences, false);
  const std::int64_t columns = end_of(attention.sequences, true);
  const std::int64_t most_rows = attention.query.view.shape[2];
  const std::int64_t most_columns = attention.key.view.shape[2];
  demand(plan, rows <= most_rows && columns <= most_columns,
         "sequences have %lld and %lld tokens, there are %lld and %lld", ll(rows), ll(columns),
         ll(most_rows), ll(most_columns));
}

void see_right_down(Sequences& sequences) {
  for (AttentionSequence& s : sequences) s.ahead = s.columns - s.rows;
}

View staged(Plan& plan, const TensorArgument& tensor, const std::string& layout,
            std::int64_t heads = 0) {
  plan.stage(tensor).contiguous();
  return by_heads(plan.reads(tensor), layout, heads);
}

View result(Plan& plan, aclDataType dtype, const Dims& shape, const TensorArgument& out,
            const std::string& layout) {
  plan.result(dtype, shape).copy_to(out);
  return by_heads(plan.writes(out), layout, 1);
}

/// Ranks, heads and depths of queries, keys and values fit one another, and the rank is that of
/// the layout.
void check_operands(const Plan& plan, Demand demand, const TensorArgument& query,
                    const TensorArgument& key, const TensorArgument& value,
                    const std::string& layout) {
  const std::size_t rank = rank_of_layout(layout);
  demand(plan, query.rank() == rank && key.rank() == rank && value.rank() == rank,
         "query, key and value have %zu, %zu and %zu dimensions, in layout %s they have %zu",
         query.rank(), key.rank(), value.rank(), layout.c_str(), rank);
  const std::size_t head = layout == "BNSD" ? 1 : rank - 2;
  const std::int64_t heads = query.shape()[head];
  const std::int64_t key_heads = key.shape()[head];
  bool fits = value.shape()[head] == key_heads && key_heads > 0 && heads > 0 &&
              heads % key_heads == 0 && query.shape()[rank - 1] == key.shape()[rank - 1] &&
              query.shape()[rank - 1] > 0 && value.shape()[rank - 1] > 0;
  for (std::size_t i = 0; i + 1 < rank; ++i) fits = fits && key.shape()[i] == value.shape()[i];
  if (rank == 4) fits = fits && query.shape()[0] == key.shape()[0];
  demand(plan, fits, "query, key and value have shapes %s, %s and %s", query.shape().text().c_str(),
         key.shape().text().c_str(), value.shape().text().c_str());
}

/// The shape of the query with the depth of values.
Dims attended_shape(const TensorArgument& query, std::int64_t value_depth) {
  Dims shape = query.shape();
  shape.set(shape.size() - 1, value_depth);
  return shape;
}

/// Gradients that the backward pass does not reach are 0.
void plan_gradients(Plan& plan, AttentionGradients& gradients, const TensorArgument& query,
                    const TensorArgument& key, const TensorArgument& value,
                    const TensorArgument& dq, const TensorArgument& dk, const TensorArgument& dv,
                    const std::string& layout) {
  gradients.query = result(plan, query.dtype(), query.shape(), dq, layout);
  gradients.key = result(plan, key.dtype(), key.shape(), dk, layout);
  gradients.value = result(plan, value.dtype(), value.shape(), dv, layout);
  for (const TensorArgument* out : {&dq, &dk, &dv}) launch_zero(plan, *out);
}

// Blocks that NSA selects

/// Blocks of 16 to 128 keys, of which 1 to 128 are chosen.
void check_choice(const Plan& plan, const TensorArgument& indices, std::int64_t size,
                  std::int64_t count) {
  constexpr std::int64_t kUnit = 16;
  constexpr std::int64_t kMost = 128;
  check_inside(plan, size > 0 && size <= kMost && size % kUnit == 0,
               "selectedBlockSize is %lld, it must be a multiple of 16 up to 128", ll(size));
  check_inside(plan, count > 0 && count <= kMost, "selectedBlockCount is %lld, it must be 1 to 128",
               ll(count));
  check_inside(plan, indices.dtype() == ACL_INT32, "topkIndices is not int32");
}

/// What the forward and the backward operator share, all of it in TND.
void plan_selected(Plan& plan, const TensorArgument& query, const TensorArgument& key,
                   const TensorArgument& value, const TensorArgument& indices,
                   const TensorArgument& mask, const IntArrayIn& row_sums,
                   const IntArrayIn& column_sums, std::int64_t heads, std::int64_t mode,
                   std::int64_t size, std::int64_t count, bool needs_mask, Attention& attention) {
  needs_kernel(plan, on_a2_or_a3());
  constexpr std::int64_t kWhole = 0;
  constexpr std::int64_t kLeftUp = 2;
  check_choice(plan, indices, size, count);
  check_inside(plan, mode == kWhole || mode == kLeftUp, "sparseMode is %lld, it must be 0 or 2",
               ll(mode));
  check_inside(plan,
               kHalves.contains(query.dtype()) && key.dtype() == query.dtype() &&
                   value.dtype() == query.dtype(),
               "query, key and value must be of one type, float16 or bfloat16");
  check_operands(plan, check_inside, query, key, value, "TND");
  check_inside(plan, heads == query.shape()[1], "headNum is %lld, query has %lld heads", ll(heads),
               ll(query.shape()[1]));
  check_inside(plan, indices.shape() == Dims({query.shape()[0], key.shape()[1], count}),
               "topkIndices has shape %s, it must have %lld blocks for each row and head of keys",
               indices.shape().text().c_str(), ll(count));
  check_inside(plan,
               row_sums.given() && column_sums.given() && !row_sums.values().empty() &&
                   row_sums.values().size() == column_sums.values().size(),
               "actualSeqQLen and actualSeqKvLen must have a number for each sequence");
  if (mask.given()) {
    check_inside(plan, mask.dtype() == ACL_BOOL || mask.dtype() == ACL_UINT8,
                 "attenMask is neither bool nor uint8");
    check_inside(plan, mask.rank() == 2, "attenMask has %zu dimensions, it must have 2",
                 mask.rank());
  }
  attention.query.view = staged(plan, query, "TND");
  attention.key.view = staged(plan, key, "TND");
  attention.value.view = staged(plan, value, "TND");
  attention.sequences = sequences_of(lengths_of(row_sums.values(), true),
                                     lengths_of(column_sums.values(), true), true, true);
  check_fits(plan, check_inside, attention);
  // What stands in the mask is not looked at.
  if (mode == kLeftUp && (mask.given() || !needs_mask)) {
    for (AttentionSequence& sequence : attention.sequences) sequence.ahead = 0;
  }
  AttentionLists lists;
  lists.view = staged(plan, indices, "TND");
  lists.column_block = size;
  lists.is_packed = true;
  attention.lists = lists;
}

Dims statistics_shape(const TensorArgument& query) {
  constexpr std::int64_t kAlike = 8;
  return {query.shape()[0], query.shape()[1], kAlike};
}

// Blocks of a mask or of lists for blocks of rows

/// Layouts, depths and lengths of these operators, and the numbers of heads.
struct Blocks {
  const TensorArgument& query;
  const TensorArgument& key;
  const TensorArgument& value;
  const IntArrayIn& shape;
  const IntArrayIn& rows;
  const IntArrayIn& columns;
  const std::string& layout;
  const std::string& key_layout;
  std::int64_t key_heads;
  std::int64_t mask_type;
  double scale;
};

/// Of an operator's parameters, which name the blocks' shape in two ways.
template <class Given>
Blocks blocks_of(const Given& given, const IntArrayIn& shape) {
  return {given.query,
          given.key,
          given.value,
          shape,
          given.actualSeqLengthsOptional,
          given.actualSeqLengthsKvOptional,
          given.qInputLayout.text,
          given.kvInputLayout.text,
          given.numKeyValueHeads,
          given.maskType,
          given.scaleValue};
}

void check_block_shape(const Check& check, const IntArrayIn& shape) {
  check.that_given(shape.given(), "blockShape");
  check.that(shape.values().size() >= 2, "blockShape has %zu numbers, it must have 2",
             shape.values().size());
  check.that(shape.values()[0] > 0 && shape.values()[1] > 0,
             "blockShape is [%lld, %lld], it must be positive", ll(shape.values()[0]),
             ll(shape.values()[1]));
}

void check_layouts(const Check& check, const Blocks& blocks, bool has_bsnd) {
  const auto is_known = [&](const std::string& layout) {
    return layout == "TND" || layout == "BNSD" || (has_bsnd && layout == "BSND");
  };
  check.that(is_known(blocks.layout), "qInputLayout is %s", blocks.layout.c_str());
  check.that(is_known(blocks.key_layout), "kvInputLayout is %s", blocks.key_layout.c_str());
  check.that(blocks.layout == blocks.key_layout, "qInputLayout is %s and kvInputLayout is %s",
             blocks.layout.c_str(), blocks.key_layout.c_str());
}

/// Lengths of queries or keys: as given, or those of the tensor.
Lengths block_lengths(const Plan& plan, const Blocks& blocks, bool of_columns, const View& view) {
  const IntArrayIn& given = of_columns ? blocks.columns : blocks.rows;
  const bool is_packed = blocks.layout == "TND";
  const char* name = of_columns ? "actualSeqLengthsKv" : "actualSeqLengths";
  check_inside(plan, given.given() || !is_packed, "%s is null, TND needs it", name);
  if (!given.given()) return Lengths(std::size_t(view.shape[0]), view.shape[2]);
  Lengths lengths = lengths_of(given.values(), false);
  std::int64_t sum = 0;
  for (std::int64_t length : lengths) {
    check_inside(plan, length <= view.shape[2], "%s has %lld, there are %lld tokens", name,
                 ll(length), ll(view.shape[2]));
    sum += length;
  }
  if (is_packed) {
    check_inside(plan, !lengths.empty() && sum == view.shape[2],
                 "%s has %lld tokens, there are %lld", name, ll(sum), ll(view.shape[2]));
  } else {
    check_inside(plan, std::int64_t(lengths.size()) == view.shape[0],
                 "%s has %zu numbers, there are %lld samples", name, lengths.size(),
                 ll(view.shape[0]));
  }
  return lengths;
}

void plan_blocks(Plan& plan, const Blocks& blocks, Attention& attention, AttentionLists& lists) {
  check_operands(plan, check_inside, blocks.query, blocks.key, blocks.value, blocks.layout);
  attention.query.view = staged(plan, blocks.query, blocks.layout);
  attention.key.view = staged(plan, blocks.key, blocks.layout);
  attention.value.view = staged(plan, blocks.value, blocks.layout);
  const std::int64_t depth = attention.query.depth();
  check_inside(plan, (depth == 64 || depth == 128) && attention.value.depth() == depth,
               "heads have %lld values, they must have 64 or 128", ll(depth));
  check_inside(plan, blocks.key_heads == attention.key_heads(),
               "numKeyValueHeads is %lld, key has %lld heads", ll(blocks.key_heads),
               ll(attention.key_heads()));
  constexpr std::int64_t kUnit = 128;
  check_inside(plan, blocks.shape.values()[1] % kUnit == 0,
               "blockShape has %lld keys, it must have a multiple of 128",
               ll(blocks.shape.values()[1]));
  if (blocks.mask_type != 0) fail_not_simulated(plan, "a maskType but 0");
  const bool is_packed = blocks.layout == "TND";
  const Lengths rows = block_lengths(plan, blocks, false, attention.query.view);
  const Lengths columns = block_lengths(plan, blocks, true, attention.key.view);
  check_inside(plan, rows.size() == columns.size(), "%zu sequences of queries and %zu of keys",
               rows.size(), columns.size());
  attention.sequences = sequences_of(rows, columns, is_packed, is_packed);
  attention.scale = static_cast<float>(blocks.scale);
  lists.row_block = std::min(blocks.shape.values()[0], kMostTokens);
  lists.column_block = std::min(blocks.shape.values()[1], kMostTokens);
}

/// A mask of blocks: [sequences, heads, blocks of rows, blocks of columns].
void plan_block_mask(Plan& plan, const Attention& attention, const TensorArgument& mask,
                     AttentionLists& lists) {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  for (const AttentionSequence& sequence : attention.sequences) {
    rows = std::max(rows, sequence.rows);
    columns = std::max(columns, sequence.columns);
  }
  if (attention.sequences.size() == std::size_t(attention.query.view.shape[0])) {
    rows = attention.query.view.shape[2];
    columns = attention.key.view.shape[2];
  }
  const auto blocks = [](std::int64_t count, std::int64_t size) {
    return (count + size - 1) / size;
  };
  const Dims shape{std::int64_t(attention.sequences.size()), attention.heads(),
                   blocks(rows, lists.row_block), blocks(columns, lists.column_block)};
  check_inside(plan, mask.shape() == shape, "blockSparseMask has shape %s, it must be %s",
               mask.shape().text().c_str(), shape.text().c_str());
  plan.stage(mask).contiguous();
  lists.view = plan.reads(mask);
  lists.is_flags = true;
}

Dims lse_shape(const TensorArgument& query) { return attended_shape(query, 1); }

// Indices of tokens, or of a few

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

}  // namespace

void nsa_selected_attention(const Check& check, Plan& plan,
                            const NsaSelectedAttentionParameters& given) {
  const TensorArgument& query = given.query;
  const TensorArgument& key = given.key;
  const TensorArgument& value = given.value;
  if (given.softmaxMaxOut.is_empty() && given.softmaxSumOut.is_empty() &&
      given.attentionOut.is_empty())
    return;
  check.that(given.inputLayout.text == "TND", "inputLayout is %s, it must be TND",
             given.inputLayout.text.c_str());
  for (const TensorArgument* tensor : {&query, &key, &value})
    check.that(tensor->rank() == 3, "%s has %zu dimensions, it must have 3", tensor->name(),
               tensor->rank());
  constexpr std::int64_t kMostDepth = 768;
  const std::int64_t depth = query.shape()[2];
  check.that(depth == key.shape()[2] && depth >= value.shape()[2] && depth <= kMostDepth,
             "heads of query, key and value have %lld, %lld and %lld values", ll(depth),
             ll(key.shape()[2]), ll(value.shape()[2]));
  for (const TensorArgument* tensor : {&query, &key, &value})
    check.that(!tensor->is_empty(), "%s has no elements", tensor->name());
  Attention attention;
  plan_selected(plan, query, key, value, given.topkIndices, given.attenMaskOptional,
                given.actualSeqQLenOptional, given.actualSeqKvLenOptional, given.headNum,
                given.sparseMode, given.selectedBlockSize, given.selectedBlockCount, true,
                attention);
  attention.scale = static_cast<float>(given.scaleValue);
  const Dims statistics = statistics_shape(query);
  attention.maximum = {result(plan, ACL_FLOAT, statistics, given.softmaxMaxOut, "TND")};
  attention.sum = {result(plan, ACL_FLOAT, statistics, given.softmaxSumOut, "TND")};
  attention.out = result(plan, query.dtype(), attended_shape(query, value.shape()[2]),
                         given.attentionOut, "TND");
  if (end_of(attention.sequences, false) < query.shape()[0]) {
    for (const TensorArgument* out : {static_cast<const TensorArgument*>(&given.softmaxMaxOut),
                                      static_cast<const TensorArgument*>(&given.softmaxSumOut),
                                      static_cast<const TensorArgument*>(&given.attentionOut)})
      launch_zero(plan, *out);
  }
  launch_attention(plan, std::move(attention));
}

void nsa_selected_attention_grad(const Check& check, Plan& plan,
                                 const NsaSelectedAttentionGradParameters& given) {
  const TensorArgument& query = given.query;
  check.dtype_in(kHalves, query);
  check.same_dtype(query, given.key, given.value, given.attentionOut, given.attentionOutGrad,
                   given.dqOut, given.dkOut, given.dvOut);
  check.dtype_in(DtypeSet{ACL_FLOAT}, given.softmaxMax, given.softmaxSum);
  check.dtype_in(DtypeSet{ACL_INT32}, given.topkIndices);
  if (query.is_empty()) return;
  check_inside(plan, given.inputLayout.text == "TND", "inputLayout is %s, it must be TND",
               given.inputLayout.text.c_str());
  AttentionGradients gradients;
  Attention& forward = gradients.forward;
  plan_selected(plan, query, given.key, given.value, given.topkIndices, given.attenMaskOptional,
                given.actualSeqQLenOptional, given.actualSeqKvLenOptional, given.headNum,
                given.sparseMode, given.selectedBlockSize, given.selectedBlockCount, false,
                forward);
  forward.scale = static_cast<float>(given.scaleValue);
  for (const TensorArgument* saved : {&given.softmaxMax, &given.softmaxSum})
    check_inside(plan, saved->shape() == statistics_shape(query), "%s has shape %s", saved->name(),
                 saved->shape().text().c_str());
  for (const TensorArgument* saved : {&given.attentionOut, &given.attentionOutGrad})
    check_inside(plan, saved->shape() == attended_shape(query, given.value.shape()[2]),
                 "%s has shape %s", saved->name(), saved->shape().text().c_str());
  forward.maximum = {staged(plan, given.softmaxMax, "TND")};
  forward.sum = {staged(plan, given.softmaxSum, "TND")};
  forward.out = staged(plan, given.attentionOut, "TND");
  gradients.grad = staged(plan, given.attentionOutGrad, "TND");
  for (const auto& [out, of] :
       {std::pair<const TensorArgument*, const TensorArgument*>{&given.dqOut, &query},
        {&given.dkOut, &given.key},
        {&given.dvOut, &given.value}})
    check.shape_is(*out, of->shape(), of->name());
  plan_gradients(plan, gradients, query, given.key, given.value, given.dqOut, given.dkOut,
                 given.dvOut, "TND");
  launch_attention_gradients(plan, std::move(gradients));
}

void nsa_selected_attention_infer(const Check& check, Plan& plan,
                                  const NsaSelectedAttentionInferParameters& given) {
  if (given.output.is_empty()) return;
  const TensorArgument& query = given.query;
  const std::string& layout = given.layoutOptional.text;
  const std::int64_t heads = given.numHeads;
  const std::int64_t key_heads = given.numKeyValueHeads;
  check.that(layout == "BSND" || layout == "BSH" || layout == "TND", "layoutOptional is %s",
             layout.c_str());
  constexpr std::int64_t kMostGroup = 16;
  check_inside(
      plan, heads > 0 && key_heads > 0 && heads % key_heads == 0 && heads / key_heads <= kMostGroup,
      "there are %lld heads of queries and %lld of keys", ll(heads), ll(key_heads));
  check.same_dtype(query, given.key, given.value);
  check.dtype_in(kHalves, query);
  check.dtype_in(DtypeSet{ACL_INT32}, given.topkIndices);
  const std::size_t key_rank = layout == "BSND" ? 4 : 3;
  check.that(query.rank() == rank_of_layout(layout) && given.key.rank() == key_rank &&
                 given.value.rank() == key_rank,
             "query, key and value have shapes %s, %s and %s", query.shape().text().c_str(),
             given.key.shape().text().c_str(), given.value.shape().text().c_str());
  constexpr std::int64_t kDepth = 192;
  constexpr std::int64_t kValueDepth = 128;
  const auto width = [](const TensorArgument& tensor) { return tensor.shape()[tensor.rank() - 1]; };
  check.that(width(query) == (layout == "BSH" ? kDepth * heads : kDepth) &&
                 width(given.key) == (key_rank == 4 ? kDepth : kDepth * key_heads) &&
                 width(given.value) == (key_rank == 4 ? kValueDepth : kValueDepth * key_heads),
             "heads of queries and keys must have 192 values, those of values 128");
  for (const TensorArgument* tensor : {&query, &given.key, &given.value})
    check.that(!tensor->is_empty(), "%s has no elements", tensor->name());
  needs_kernel(plan, on_a2_or_a3());
  const std::size_t last = query.rank() - 2;
  check_inside(plan, layout == "BSH" || query.shape()[last] == heads,
               "numHeads is %lld, query has %lld", ll(heads), ll(query.shape()[last]));
  check_inside(plan, key_rank == 3 || given.key.shape()[2] == key_heads,
               "numKeyValueHeads is %lld, key has %lld", ll(key_heads),
               ll(key_rank == 3 ? key_heads : given.key.shape()[2]));
  check_choice(plan, given.topkIndices, given.selectBlockSize, given.selectBlockCount);
  const bool is_packed = layout == "TND";
  const Lengths rows = lengths_of(given.actualQSeqLenOptional.values(), false);
  const Lengths columns = lengths_of(given.actualKvSeqLenOptional.values(), false);
  const auto batch = std::int64_t(rows.size());
  check_inside(
      plan, batch > 0 && rows.size() == columns.size() && (is_packed || batch == query.shape()[0]),
      "%zu sequences of queries and %zu of keys", rows.size(), columns.size());
  constexpr std::int64_t kMostRows = 4;
  for (std::size_t i = 0; i < rows.size(); ++i)
    check_inside(plan, rows[i] >= 1 && rows[i] <= kMostRows && rows[i] <= columns[i],
                 "a sequence has %lld queries and %lld keys", ll(rows[i]), ll(columns[i]));
  const std::string pages = key_rank == 4 ? "BSND" : "BSH";
  Attention attention;
  attention.query.view = staged(plan, query, layout, heads);
  attention.key.view = staged(plan, given.key, pages, key_heads);
  attention.value.view = staged(plan, given.value, pages, key_heads);
  const Dims& keys = attention.key.view.shape;
  check_inside(plan,
               attention.value.view.shape[2] == keys[2] && keys[0] > 0 &&
                   given.pageBlockSize == keys[2] && (keys[2] == 64 || keys[2] == 128),
               "pages have %lld keys, pageBlockSize is %lld, it must be 64 or 128", ll(keys[2]),
               ll(given.pageBlockSize));
  const TensorArgument& table = given.blockTableOptional;
  check_inside(plan, table.dtype() == ACL_INT32 && table.rank() == 2 && table.shape()[0] == batch,
               "blockTable has shape %s", table.shape().text().c_str());
  plan.stage(table).contiguous();
  attention.key.pages = attention.value.pages = plan.reads(table);
  attention.value.view.shape.set(0, std::min(attention.value.view.shape[0], keys[0]));
  attention.sequences = sequences_of(rows, columns, is_packed, false);
  for (AttentionSequence& sequence : attention.sequences) {
    check_inside(plan, sequence.columns <= table.shape()[1] * keys[2],
                 "a sequence has %lld keys, its pages have %lld", ll(sequence.columns),
                 ll(table.shape()[1] * keys[2]));
    sequence.key_batch = 0;
  }
  see_right_down(attention.sequences);
  check_inside(plan, end_of(attention.sequences, false) <= attention.query.view.shape[2],
               "sequences have %lld queries, there are %lld",
               ll(end_of(attention.sequences, false)), ll(attention.query.view.shape[2]));
  const TensorArgument& indices = given.topkIndices;
  const std::int64_t all_rows = attention.query.view.shape[0] * attention.query.view.shape[2];
  check_inside(plan,
               indices.rank() >= 3 && width(indices) == given.selectBlockCount &&
                   indices.elements() == all_rows * key_heads * given.selectBlockCount,
               "topkIndices has shape %s", indices.shape().text().c_str());
  AttentionLists lists;
  lists.view = contiguous_view(plan, indices);
  const std::int64_t count = given.selectBlockCount;
  lists.view.shape = {attention.query.view.shape[0], key_heads, attention.query.view.shape[2],
                      count};
  lists.view.strides = {attention.query.view.shape[2] * key_heads * count, count, key_heads * count,
                        1};
  lists.column_block = given.selectBlockSize;
  lists.is_packed = is_packed;
  attention.lists = lists;
  attention.scale = static_cast<float>(given.scaleValue);
  Dims shape = query.shape();
  shape.set(shape.size() - 1, layout == "BSH" ? kValueDepth * heads : kValueDepth);
  plan.result(query.dtype(), shape).copy_to(given.output);
  attention.out = by_heads(plan.writes(given.output), layout, heads);
  launch_zero(plan, given.output);
  launch_attention(plan, std::move(attention));
}

void block_sparse_attention(const Check& check, Plan& plan,
                            const BlockSparseAttentionV2Parameters& given) {
  const TensorArgument& query = given.query;
  const DtypeSet small{ACL_FLOAT8_E4M3FN};
  const bool has_scales = given.qDequantScaleOptional.given() ||
                          given.kDequantScaleOptional.given() ||
                          given.vDequantScaleOptional.given();
  check.dtype_in(on_950() ? kHalves | small : kHalves, query);
  check.same_dtype(query, given.key, given.value);
  check.that_given(given.qInputLayout.given() && given.kvInputLayout.given(), "qInputLayout");
  const Blocks blocks = blocks_of(given, given.blockShapeOptional);
  check_layouts(check, blocks, true);
  check_block_shape(check, given.blockShapeOptional);
  const std::int64_t precise = given.innerPrecise;
  check.that(precise == 0 || precise == 1 || precise == 4,
             "innerPrecise is %lld, it must be 0, 1 or 4", ll(precise));
  check.that_given(given.attentionOut.given(), "attentionOut");
  const TensorArgument& mask = given.blockSparseMaskOptional;
  if (mask.given())
    check.that(mask.rank() == 4, "blockSparseMask has %zu dimensions, it must have 4", mask.rank());
  needs_kernel(plan, on_a2_or_a3() || on_950());
  if (query.dtype() == ACL_FLOAT8_E4M3FN || has_scales)
    fail_not_simulated(plan, "queries, keys and values of 8 bits");
  check_inside(plan, on_950() || blocks.layout != "BSND", "layout BSND is that of the 950");
  check_inside(plan, (precise == 4) == on_950() && (precise != 1 || query.dtype() == ACL_FLOAT16),
               "innerPrecise is %lld", ll(precise));
  check_inside(
      plan,
      !given.attenMaskOptional.given() && !given.blockTableOptional.given() && given.blockSize == 0,
      "attenMask, blockTable and blockSize are for later");
  check_inside(plan, given.preTokens == kEndless && given.nextTokens == kEndless,
               "preTokens and nextTokens must be 2147483647");
  check_inside(plan, given.softmaxLseFlag == 0 || given.softmaxLseFlag == 1,
               "softmaxLseFlag is %lld, it must be 0 or 1", ll(given.softmaxLseFlag));
  check_inside(plan,
               given.actualSeqLengthsOptional.given() == given.actualSeqLengthsKvOptional.given(),
               "only one of actualSeqLengths and actualSeqLengthsKv is given");
  check_inside(plan,
               mask.given() && (mask.dtype() == ACL_INT8 || mask.dtype() == ACL_BOOL ||
                                mask.dtype() == ACL_UINT8),
               "blockSparseMask must be given, of int8");
  Attention attention;
  AttentionLists lists;
  plan_blocks(plan, blocks, attention, lists);
  plan_block_mask(plan, attention, mask, lists);
  attention.lists = lists;
  attention.out = result(plan, query.dtype(), query.shape(), given.attentionOut, blocks.layout);
  launch_zero(plan, given.attentionOut);
  if (given.softmaxLseFlag == 1) {
    check_inside(plan, given.softmaxLseOptional.given(), "softmaxLseOptional is null");
    attention.lse = {
        result(plan, ACL_FLOAT, lse_shape(query), given.softmaxLseOptional, blocks.layout)};
    launch_zero(plan, given.softmaxLseOptional);
  }
  launch_attention(plan, std::move(attention));
}

void block_sparse_attention_grad(const Check& check, Plan& plan,
                                 const BlockSparseAttentionGradParameters& given) {
  const TensorArgument& query = given.query;
  const TensorArgument& mask = given.blockSparseMaskOptional;
  check.dtype_in(kHalves, query);
  check.same_dtype(query, given.key, given.value, given.attentionOut, given.dout, given.dq,
                   given.dk, given.dv);
  check.dtype_in(DtypeSet{ACL_FLOAT}, given.softmaxLse);
  check.dtype_in(DtypeSet{ACL_BOOL, ACL_UINT8}, mask);
  check.that(!given.attenMaskOptional.given(), "attenMask must be null");
  check.that(given.maskType == 0, "maskType is %lld, it must be 0", ll(given.maskType));
  check.that(given.preTokens == kEndless && given.nextTokens == kEndless,
             "preTokens and nextTokens must be 2147483647");
  check.that_given(given.qInputLayout.given() && given.kvInputLayout.given(), "qInputLayout");
  const Blocks blocks = blocks_of(given, given.blockShapeOptional);
  const bool is_packed = blocks.layout == "TND";
  check.that(!is_packed || (given.actualSeqLengthsOptional.given() &&
                            given.actualSeqLengthsKvOptional.given()),
             "TND needs actualSeqLengths and actualSeqLengthsKv");
  check_layouts(check, blocks, true);
  check_block_shape(check, given.blockShapeOptional);
  needs_kernel(plan, on_a2_or_a3() || on_950());
  check_inside(plan, on_950() || blocks.layout != "BSND", "layout BSND is that of the 950");
  AttentionGradients gradients;
  Attention& forward = gradients.forward;
  AttentionLists lists;
  plan_blocks(plan, blocks, forward, lists);
  check_inside(plan, mask.rank() == 4, "blockSparseMask has %zu dimensions", mask.rank());
  plan_block_mask(plan, forward, mask, lists);
  forward.lists = lists;
  for (const TensorArgument* saved : {&given.attentionOut, &given.dout})
    check_inside(plan, saved->shape() == query.shape(), "%s has shape %s", saved->name(),
                 saved->shape().text().c_str());
  check_inside(plan, given.softmaxLse.shape() == lse_shape(query), "softmaxLse has shape %s",
               given.softmaxLse.shape().text().c_str());
  forward.lse = {staged(plan, given.softmaxLse, blocks.layout)};
  forward.out = staged(plan, given.attentionOut, blocks.layout);
  gradients.grad = staged(plan, given.dout, blocks.layout);
  plan_gradients(plan, gradients, query, given.key, given.value, given.dq, given.dk, given.dv,
                 blocks.layout);
  launch_attention_gradients(plan, std::move(gradients));
}

void rain_fusion_attention(const Check& check, Plan& plan,
                           const RainFusionAttentionParameters& given) {
  const TensorArgument& query = given.query;
  check.dtype_in(kHalves, query);
  check.same_dtype(query, given.key, given.value);
  check.that_given(given.qInputLayout.given() && given.kvInputLayout.given(), "qInputLayout");
  const Blocks blocks = blocks_of(given, given.blockShape);
  check_layouts(check, blocks, false);
  check_block_shape(check, given.blockShape);
  check.that(given.innerPrecise == 0 || given.innerPrecise == 1,
             "innerPrecise is %lld, it must be 0 or 1", ll(given.innerPrecise));
  check.that_given(given.attentionOut.given(), "attentionOut");
  needs_kernel(plan, on_a2_or_a3());
  check_inside(plan, given.innerPrecise == 0 || query.dtype() == ACL_FLOAT16,
               "innerPrecise is 1, bfloat16 takes 0");
  if (given.attenMaskOptional.given()) fail_not_simulated(plan, "an attenMask");
  if (given.blockTableOptional.given()) fail_not_simulated(plan, "a blockTable");
  Attention attention;
  AttentionLists lists;
  plan_blocks(plan, blocks, attention, lists);
  std::int64_t row_blocks = 0;
  for (const AttentionSequence& sequence : attention.sequences)
    row_blocks += (sequence.rows + lists.row_block - 1) / lists.row_block;
  const TensorArgument& indices = given.selectIdx;
  const TensorArgument& counts = given.selectNumIdx;
  const Dims own{row_blocks, attention.heads()};
  check_inside(plan,
               indices.rank() == 3 && indices.shape()[0] == row_blocks &&
                   indices.shape()[1] == attention.heads() && counts.shape() == own,
               "selectIdx and selectNumIdx have shapes %s and %s, there are %lld blocks of rows",
               indices.shape().text().c_str(), counts.shape().text().c_str(), ll(row_blocks));
  check_inside(plan, indices.dtype() == ACL_INT64 && counts.dtype() == ACL_INT64,
               "selectIdx or selectNumIdx is not int64");
  lists.view = staged(plan, indices, "TND");
  plan.stage(counts).contiguous();
  View each = plan.reads(counts);
  const Dims strides{0, each.strides[1], each.strides[0]};
  each.shape = {1, own[1], own[0]};
  each.strides = strides;
  lists.counts = each;
  lists.is_packed = true;
  attention.lists = lists;
  attention.out = result(plan, query.dtype(), query.shape(), given.attentionOut, blocks.layout);
  launch_zero(plan, given.attentionOut);
  launch_attention(plan, std::move(attention));
}

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
  attention.query.view = staged(plan, query, layout);
  attention.query.rope = staged(plan, given.queryRopeOptional, layout);
  attention.key.view = staged(plan, key, keys_layout);
  attention.key.rope = staged(plan, given.keyRopeOptional, keys_layout);
  attention.value.view = staged(plan, value, keys_layout);
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
  lists.view = staged(plan, indices, layout);
  lists.column_block = size;
  lists.is_packed = layout == "TND";
  attention.lists = lists;
  attention.scale = static_cast<float>(given.scaleValue);
  attention.out = result(plan, query.dtype(), query.shape(), given.attentionOut, layout);
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
  if (!given.value.given()) fail_not_simulated(plan, "a value that is the key");
  const TensorArgument& value = given.value;
  check.dtype_in(kHalves, query);
  check.same_dtype(query, key, value, given.dOut, given.out, given.dQueryOut, given.dKeyOut,
                   given.dValueOut);
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
  forward.query.view = staged(plan, query, layout);
  forward.key.view = staged(plan, key, layout);
  forward.value.view = staged(plan, value, layout);
  if (rope.given()) {
    check_rope(plan, query, rope, kRopeDepth);
    check_rope(plan, key, given.keyRopeOptional, kRopeDepth);
    forward.query.rope = staged(plan, rope, layout);
    forward.key.rope = staged(plan, given.keyRopeOptional, layout);
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
  forward.out = staged(plan, given.out, layout);
  gradients.grad = staged(plan, given.dOut, layout);
  AttentionLists lists;
  lists.view = staged(plan, given.sparseIndices, layout);
  lists.column_block = size;
  lists.is_packed = layout == "TND";
  forward.lists = lists;
  forward.scale = static_cast<float>(given.scaleValue);
  plan_gradients(plan, gradients, query, key, value, given.dQueryOut, given.dKeyOut,
                 given.dValueOut, layout);
  if (rope.given()) {
    const TensorArgument& query_out = given.dQueryRopeOutOptional;
    const TensorArgument& key_out = given.dKeyRopeOutOptional;
    check.not_null(query_out, key_out);
    gradients.query_rope = result(plan, query.dtype(), rope.shape(), query_out, layout);
    gradients.key_rope =
        result(plan, query.dtype(), given.keyRopeOptional.shape(), key_out, layout);
    launch_zero(plan, query_out);
    launch_zero(plan, key_out);
  }
  plan.launch([gradients = std::move(gradients), lengths](const KernelMemory& memory) {
    AttentionGradients own = gradients;
    own.forward.sequences = sequences_in(gradients.forward, lengths, memory);
    run_attention_gradients(own, memory);
  });
}

}  // namespace pyaclnn::sim
