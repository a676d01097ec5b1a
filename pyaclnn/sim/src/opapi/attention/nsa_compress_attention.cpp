// Attention to keys that NSA compressed, and which blocks its weights choose.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/attention/attention.hpp"
#include "opapi/attention/layouts.hpp"
#include "opapi/attention/rows.hpp"
#include "opapi/attention/scores.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "parameters/NsaCompressAttention.hpp"
#include "parameters/NsaCompressAttentionInfer.hpp"

namespace pyaclnn::sim {
namespace {

const DtypeSet kHalves{ACL_FLOAT16, ACL_BF16};

/// How blocks are chosen: of `step` compressed keys each, which overlap `overlap` of their
/// neighbours.
struct Choice {
  std::int64_t step;
  std::int64_t overlap;
  /// What the last window has besides its stride makes blocks, too.
  bool counts_tail = false;
  /// The first block and the last two are always chosen.
  bool forces_ends = false;
  /// [1, 1, rows, blocks]: blocks that are always chosen.
  std::optional<View> forced;
  View out;  // [1, heads of keys, rows, count] of int32
  std::int64_t count() const { return out.shape[3]; }
  std::int64_t blocks(std::int64_t columns) const {
    const std::int64_t strides = counts_tail ? columns - 1 + overlap : columns;
    return (strides + step - 1) / step;
  }
};

/// Sums the weights of heads that share keys, and chooses the blocks that weigh most.
class Chooser {
 public:
  Chooser(const Attention& attention, const Choice& choice, const KernelMemory& memory)
      : attention_(attention),
        choice_(choice),
        memory_(memory),
        query_(attention.query),
        key_(attention.key),
        scores_(attention),
        out_(choice.out) {
    if (choice.forced.has_value()) forced_.emplace(*choice.forced);
  }

  void run() const {
    const std::int64_t heads = attention_.key_heads();
    for (std::size_t number = 0; number < attention_.sequences.size(); ++number) {
      const AttentionSequence& sequence = attention_.sequences[number];
      parallel_for(sequence.rows * heads, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t task = begin; task < end; ++task)
          choose(std::int64_t(number), task % heads, task / heads);
      });
    }
  }

 private:
  void choose(std::int64_t number, std::int64_t key_head, std::int64_t row) const {
    const AttentionSequence& sequence = attention_.sequences[std::size_t(number)];
    const std::vector<float> weights = weights_of(number, key_head, row);
    const std::int64_t blocks = choice_.blocks(sequence.columns);
    std::vector<float> sums(static_cast<std::size_t>(blocks));
    for (std::int64_t block = 0; block < blocks; ++block) {
      // As the kernel counts, from the first key behind the block backwards.
      for (std::int64_t m = 0; m < choice_.step; ++m) {
        for (std::int64_t n = 0; n < choice_.overlap; ++n) {
          const std::int64_t at = (block + 1) * choice_.step - m - n;
          if (at >= 0 && at < sequence.columns)
            sums[std::size_t(block)] += weights[std::size_t(at)];
        }
      }
    }
    if (forced_.has_value()) {
      std::vector<float> flags(sums.size());
      forced_->load(memory_, 0, 0, row, 0, blocks, flags.data());
      for (std::size_t i = 0; i < sums.size(); ++i)
        if (flags[i] != 0.0f) sums[i] = std::numeric_limits<float>::max();
    }
    if (choice_.forces_ends) {
      for (const std::int64_t block : {std::int64_t(0), blocks - 2, blocks - 1})
        if (block >= 0) sums[std::size_t(block)] = std::numeric_limits<float>::max();
    }
    std::vector<std::int64_t> order(sums.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      return sums[std::size_t(a)] > sums[std::size_t(b)];
    });
    std::vector<float> chosen(static_cast<std::size_t>(choice_.count()));
    std::copy_n(order.begin(), chosen.size(), chosen.begin());
    out_.store(memory_, sequence.query_batch, key_head, sequence.first_row + row, chosen.data(),
               choice_.count());
  }

  /// The weights of all columns, of the heads that share keys together.
  std::vector<float> weights_of(std::int64_t number, std::int64_t key_head,
                                std::int64_t row) const {
    const AttentionSequence& sequence = attention_.sequences[std::size_t(number)];
    const LineLoops& loops = LineLoops::of_this_cpu();
    const std::int64_t depth = query_.depth();
    const std::int64_t columns = sequence.columns;
    const std::int64_t group = attention_.heads() / attention_.key_heads();
    std::vector<float> keys(static_cast<std::size_t>(columns * depth));
    const FloatRows rows = key_.some(memory_, number, sequence.key_batch, key_head,
                                     sequence.first_column, columns, keys.data());
    std::vector<float> query(static_cast<std::size_t>(depth));
    std::vector<float> own(static_cast<std::size_t>(columns));
    std::vector<float> scratch(own.size());
    std::vector<float> sums(own.size());
    for (std::int64_t head = key_head * group; head < (key_head + 1) * group; ++head) {
      query_.load(memory_, number, sequence.query_batch, head, sequence.first_row + row,
                  query.data());
      for (std::int64_t j = 0; j < columns; ++j)
        loops.dot(query.data(), rows.data + j * rows.step, depth, &own[std::size_t(j)]);
      scores_.finish(memory_, number, head, row, 0, columns, own.data(), scratch.data());
      float largest = 0;
      float total = 0;
      loops.largest(own.data(), columns, &largest);
      loops.powers(own.data(), columns, largest, &total);
      loops.scale(own.data(), columns, 1.0f / total);
      loops.add(sums.data(), own.data(), columns);
    }
    return sums;
  }

  const Attention& attention_;
  const Choice& choice_;
  const KernelMemory& memory_;
  RowReader query_;
  RowReader key_;
  Scores scores_;
  RowView out_;
  std::optional<RowView> forced_;
};

View staged(Plan& plan, const TensorArgument& tensor) {
  plan.stage(tensor).contiguous();
  return by_heads(plan.reads(tensor), "TND", 0);
}

/// A mask of [rows, columns] that sequences and heads share.
View shared_mask(Plan& plan, const TensorArgument& mask, std::int64_t sequences,
                 std::int64_t heads) {
  plan.stage(mask).contiguous();
  View view = plan.reads(mask);
  const Dims shape{sequences, heads, view.shape[0], view.shape[1]};
  const Dims strides{0, 0, view.strides[0], view.strides[1]};
  view.shape = shape;
  view.strides = strides;
  return view;
}

void check_mask(const Plan& plan, const TensorArgument& mask, std::int64_t rows,
                std::int64_t columns) {
  check_tiling_inside(plan, mask.dtype() == ACL_BOOL || mask.dtype() == ACL_UINT8,
                      "%s is neither bool nor uint8", mask.name());
  check_tiling_inside(plan, mask.shape() == Dims({rows, columns}),
                      "%s has shape %s, it must be [%lld, %lld]", mask.name(),
                      mask.shape().text().c_str(), ll(rows), ll(columns));
}

/// Blocks and windows of multiples of 16 tokens, the smaller within the larger.
void check_blocks(const Plan& plan, std::int64_t window, std::int64_t stride, std::int64_t block) {
  constexpr std::int64_t kUnit = 16;
  constexpr std::int64_t kMost = 128;
  check_tiling_inside(plan,
                      window > 0 && window % kUnit == 0 && window <= kMost && stride > 0 &&
                          stride % kUnit == 0 && stride <= kMost / 2 && block % kUnit == 0 &&
                          block <= kMost,
                      "compressBlockSize is %lld, compressStride %lld, selectBlockSize %lld",
                      ll(window), ll(stride), ll(block));
  check_tiling_inside(plan, block >= window && window >= stride && block % stride == 0,
                      "compressBlockSize is %lld, compressStride %lld, selectBlockSize %lld",
                      ll(window), ll(stride), ll(block));
}

/// Sequences behind another, by running sums of their lengths.
void plan_sequences(const Plan& plan, const IntArrayIn& rows, const IntArrayIn& columns,
                    Attention& attention) {
  const bool fits = rows.given() && columns.given() && !rows.values().empty() &&
                    rows.values().size() == columns.values().size();
  check_tiling_inside(plan, fits, "actualSeqQLen and actualCmpSeqKvLen must have as many numbers");
  AttentionSequence sequence;
  for (std::size_t i = 0; i < rows.values().size(); ++i) {
    const std::int64_t row = rows.values()[i];
    const std::int64_t column = columns.values()[i];
    check_tiling_inside(
        plan,
        row > sequence.first_row && column > sequence.first_column &&
            row <= attention.query.view.shape[2] && column <= attention.key.view.shape[2],
        "lengths end with %lld and %lld of %lld and %lld tokens", ll(row), ll(column),
        ll(attention.query.view.shape[2]), ll(attention.key.view.shape[2]));
    sequence.rows = row - sequence.first_row;
    sequence.columns = column - sequence.first_column;
    attention.sequences.push_back(sequence);
    sequence.first_row = row;
    sequence.first_column = column;
  }
}

/// How many queries each sample has: one, unless up to four are given for each beside the tokens
/// that make just as many compressed keys as there are.
std::vector<std::int64_t> queries_of(const NsaCompressAttentionInferParameters& given) {
  const std::vector<std::int64_t>& columns = given.actualCmpKvSeqLenOptional.values();
  const IntArrayIn& rows = given.actualQSeqLenOptional;
  const IntArrayIn& tokens = given.actualSelKvSeqLenOptional;
  std::vector<std::int64_t> one(columns.size(), 1);
  for (const IntArrayIn* lengths : {&rows, &tokens})
    if (!lengths->given() || lengths->values().size() != one.size()) return one;
  constexpr std::int64_t kMost = 4;
  for (std::size_t i = 0; i < one.size(); ++i) {
    const std::int64_t whole = tokens.values()[i];
    if (rows.values()[i] < 1 || rows.values()[i] > kMost || whole < 0 ||
        (whole - given.compressBlockSize) / given.compressBlockStride + 1 != columns[i])
      return one;
  }
  return rows.values();
}

}  // namespace

void nsa_compress_attention(const Check& check, Plan& plan,
                            const NsaCompressAttentionParameters& given) {
  const TensorArgument& query = given.query;
  const TensorArgument& key = given.key;
  const TensorArgument& value = given.value;
  if (given.softmaxMaxOut.is_empty() && given.softmaxSumOut.is_empty() &&
      given.topkIndicesOut.is_empty() && given.attentionOutOut.is_empty())
    return;
  check.that(given.inputLayout.text == "TND", "inputLayout is %s, it must be TND",
             given.inputLayout.text.c_str());
  for (const TensorArgument* tensor : {&query, &key, &value}) {
    check.that(tensor->rank() == 3, "%s has %zu dimensions, it must have 3", tensor->name(),
               tensor->rank());
    check.that(!tensor->is_empty(), "%s has no elements", tensor->name());
  }
  needs_kernel(plan, on_a2_or_a3());
  check_tiling_inside(plan,
                      kHalves.contains(query.dtype()) && key.dtype() == query.dtype() &&
                          value.dtype() == query.dtype(),
                      "query, key and value must be of one type, float16 or bfloat16");
  const std::int64_t heads = query.shape()[1];
  const std::int64_t key_heads = key.shape()[1];
  const std::int64_t depth = query.shape()[2];
  const std::int64_t value_depth = value.shape()[2];
  check_tiling_inside(plan,
                      given.headNum == heads && heads % key_heads == 0 &&
                          value.shape()[1] == key_heads && value.shape()[0] == key.shape()[0],
                      "headNum is %lld, query, key and value have shapes %s, %s and %s",
                      ll(given.headNum), query.shape().text().c_str(), key.shape().text().c_str(),
                      value.shape().text().c_str());
  const std::int64_t group = heads / key_heads;
  constexpr std::int64_t kMostGroup = 128;
  constexpr std::int64_t kMostDepth = 512;
  check_tiling_inside(plan, group < kMostGroup && kMostGroup % group == 0,
                      "%lld heads share keys, they must be a power of 2 below 128", ll(group));
  check_tiling_inside(plan, depth == key.shape()[2] && depth >= value_depth && depth <= kMostDepth,
                      "heads of query, key and value have %lld, %lld and %lld values", ll(depth),
                      ll(key.shape()[2]), ll(value_depth));
  check_tiling_inside(plan, given.sparseMode == 0 || given.sparseMode == 1,
                      "sparseMode is %lld, it must be 0 or 1", ll(given.sparseMode));
  check_blocks(plan, given.compressBlockSize, given.compressStride, given.selectBlockSize);
  Attention attention;
  attention.query.view = staged(plan, query);
  attention.key.view = staged(plan, key);
  attention.value.view = staged(plan, value);
  attention.scale = static_cast<float>(given.scaleValue);
  plan_sequences(plan, given.actualSeqQLenOptional, given.actualCmpSeqKvLenOptional, attention);
  Choice choice;
  choice.step = given.selectBlockSize / given.compressStride;
  choice.overlap = given.compressBlockSize / given.compressStride;
  const std::int64_t count = given.selectBlockCount;
  constexpr std::int64_t kMostBlocks = 32;
  check_tiling_inside(plan, count >= 1 && count <= kMostBlocks,
                      "selectBlockCount is %lld, it must be 1 to 32", ll(count));
  constexpr std::int64_t kMostColumns = 14000;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  for (const AttentionSequence& sequence : attention.sequences) {
    rows = std::max(rows, sequence.rows);
    columns = std::max(columns, sequence.columns);
    check_tiling_inside(
        plan,
        sequence.columns <= kMostColumns && count * choice.step < sequence.columns + choice.step,
        "a sequence has %lld compressed keys, selectBlockCount is %lld", ll(sequence.columns),
        ll(count));
  }
  const auto sequences = std::int64_t(attention.sequences.size());
  if (given.attenMaskOptional.given()) {
    check_mask(plan, given.attenMaskOptional, rows, columns);
    attention.mask = shared_mask(plan, given.attenMaskOptional, sequences, heads);
  }
  if (given.topkMaskOptional.given()) {
    check_mask(plan, given.topkMaskOptional, rows, (columns + choice.step - 1) / choice.step);
    choice.forced = shared_mask(plan, given.topkMaskOptional, 1, 1);
  }
  constexpr std::int64_t kAlike = 8;
  const std::int64_t tokens = query.shape()[0];
  const auto written = [&](const TensorArgument& out, aclDataType dtype, const Dims& shape) {
    plan.result(dtype, shape).copy_to(out);
    launch_zero(plan, out);
    return by_heads(plan.writes(out), "TND", 0);
  };
  const Dims statistics{tokens, heads, kAlike};
  attention.maximum = {written(given.softmaxMaxOut, ACL_FLOAT, statistics)};
  attention.sum = {written(given.softmaxSumOut, ACL_FLOAT, statistics)};
  attention.out = written(given.attentionOutOut, query.dtype(), {tokens, heads, value_depth});
  choice.out = written(given.topkIndicesOut, ACL_INT32, {tokens, key_heads, count});
  plan.launch([attention = std::move(attention), choice](const KernelMemory& memory) {
    run_attention(attention, memory);
    Chooser(attention, choice, memory).run();
  });
}

void nsa_compress_attention_infer(const Check& check, Plan& plan,
                                  const NsaCompressAttentionInferParameters& given) {
  const TensorArgument& query = given.query;
  const TensorArgument& table = given.blockTableOptional;
  const std::string& layout = given.layoutOptional.text;
  constexpr std::int64_t kMostBatch = 10000;
  const std::int64_t batch = query.rank() == 0 ? 0 : query.shape()[0];
  check.that(batch >= 1 && batch <= kMostBatch, "query has shape %s", query.shape().text().c_str());
  check.dtype_in(kHalves, query);
  check.same_dtype(query, given.key, given.value, given.output);
  check.dtype_in(DtypeSet{ACL_INT32}, table, given.topKOutput);
  if (given.output.is_empty() && given.topKOutput.is_empty()) return;
  check.that(layout == "TND" || layout == "BSND", "layoutOptional is %s, it must be TND or BSND",
             layout.c_str());
  needs_kernel(plan, on_a2_or_a3());
  const std::int64_t heads = given.numHeads;
  const std::int64_t key_heads = given.numKeyValueHeads;
  constexpr std::int64_t kMostGroup = 128;
  check_tiling_inside(plan,
                      heads > 0 && key_heads > 0 && heads % key_heads == 0 &&
                          heads / key_heads <= kMostGroup && kMostGroup % (heads / key_heads) == 0,
                      "there are %lld heads of queries and %lld of keys", ll(heads), ll(key_heads));
  const std::size_t rank = rank_of_layout(layout);
  check_tiling_inside(plan,
                      query.rank() == rank && given.key.rank() == 3 && given.value.rank() == 3 &&
                          !query.is_empty() && query.shape()[rank - 2] == heads,
                      "query, key and value have shapes %s, %s and %s",
                      query.shape().text().c_str(), given.key.shape().text().c_str(),
                      given.value.shape().text().c_str());
  const Dims& key = given.key.shape();
  const Dims& value = given.value.shape();
  constexpr std::int64_t kMostDepth = 192;
  constexpr std::int64_t kMostValueDepth = 128;
  const std::int64_t depth = query.shape()[rank - 1];
  const std::int64_t value_depth = value[2] / key_heads;
  check_tiling_inside(plan,
                      key[2] == depth * key_heads && value[2] == value_depth * key_heads &&
                          depth <= kMostDepth && value_depth > 0 && value_depth <= depth &&
                          value_depth <= kMostValueDepth,
                      "heads of query, key and value have %lld, %lld and %lld values", ll(depth),
                      ll(key[2] / key_heads), ll(value_depth));
  constexpr std::int64_t kMostPage = 128;
  const std::int64_t page = key[1];
  check_tiling_inside(plan,
                      key[0] > 0 && key[0] == value[0] && page == value[1] &&
                          page == given.pageBlockSize && page > 0 && page <= kMostPage &&
                          page % 16 == 0,
                      "key and value have shapes %s and %s, pageBlockSize is %lld",
                      key.text().c_str(), value.text().c_str(), ll(given.pageBlockSize));
  const std::vector<std::int64_t>& columns = given.actualCmpKvSeqLenOptional.values();
  check_tiling_inside(plan, table.rank() == 2 && table.shape()[0] == std::int64_t(columns.size()),
                      "blockTable has shape %s, actualCmpKvSeqLen %zu numbers",
                      table.shape().text().c_str(), columns.size());
  check_blocks(plan, given.compressBlockSize, given.compressBlockStride, given.selectBlockSize);
  const std::vector<std::int64_t> rows = queries_of(given);
  const std::int64_t most = rows.empty() ? 0 : *std::max_element(rows.begin(), rows.end());
  const std::int64_t all = std::accumulate(rows.begin(), rows.end(), std::int64_t(0));
  check_tiling_inside(
      plan, rank == 4 ? batch == table.shape()[0] && query.shape()[1] == most : batch == all,
      "query has shape %s, %lld samples have up to %lld queries", query.shape().text().c_str(),
      ll(table.shape()[0]), ll(most));
  for (const TensorArgument* tensor :
       {static_cast<const TensorArgument*>(&given.query),
        static_cast<const TensorArgument*>(&given.key),
        static_cast<const TensorArgument*>(&given.value),
        static_cast<const TensorArgument*>(&given.blockTableOptional)})
    plan.stage(*tensor).contiguous();
  Attention attention;
  attention.query.view = by_heads(plan.reads(query), layout, 0);
  attention.key.view = by_heads(plan.reads(given.key), "BSH", key_heads);
  attention.value.view = by_heads(plan.reads(given.value), "BSH", key_heads);
  attention.key.pages = attention.value.pages = plan.reads(table);
  attention.scale = static_cast<float>(given.scaleValue);
  Choice choice;
  choice.step = given.selectBlockSize / given.compressBlockStride;
  choice.overlap = given.compressBlockSize / given.compressBlockStride;
  choice.counts_tail = true;
  choice.forces_ends = true;
  const std::int64_t count = given.selectBlockCount;
  constexpr std::int64_t kMostColumns = 8192;
  constexpr std::int64_t kMostBlocks = 4096;
  std::int64_t first_row = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    check_tiling_inside(
        plan, columns[i] > 0 && columns[i] <= kMostColumns && columns[i] <= table.shape()[1] * page,
        "a sample has %lld compressed keys, its pages have %lld", ll(columns[i]),
        ll(table.shape()[1] * page));
    const std::int64_t blocks = choice.blocks(columns[i]);
    check_tiling_inside(plan, count >= 1 && count <= blocks && blocks <= kMostBlocks,
                        "selectBlockCount is %lld of %lld blocks", ll(count), ll(blocks));
    AttentionSequence sequence;
    if (rank == 4) sequence.query_batch = std::int64_t(i);
    sequence.first_row = first_row;
    sequence.rows = rows[i];
    sequence.columns = columns[i];
    if (given.attentionMaskOptional.given() && most > 1 && columns[i] > 1) {
      // Queries do not see the last compressed key unless all of its tokens are before them.
      const std::int64_t behind = given.actualSelKvSeqLenOptional.values()[i] -
                                  (columns[i] - 1) * given.compressBlockStride -
                                  given.compressBlockSize;
      sequence.ahead = columns[i] - rows[i] + behind;
      sequence.prefix = columns[i] - 1;
    }
    attention.sequences.push_back(sequence);
    if (rank != 4) first_row += rows[i];
  }
  Dims shape = query.shape();
  shape.set(rank - 1, value_depth);
  plan.result(query.dtype(), shape).copy_to(given.output);
  shape.set(rank - 2, key_heads);
  shape.set(rank - 1, count);
  plan.result(ACL_INT32, shape).copy_to(given.topKOutput);
  attention.out = by_heads(plan.writes(given.output), layout, 0);
  choice.out = by_heads(plan.writes(given.topKOutput), layout, 0);
  plan.launch([attention = std::move(attention), choice](const KernelMemory& memory) {
    run_attention(attention, memory);
    Chooser(attention, choice, memory).run();
  });
}

}  // namespace pyaclnn::sim
