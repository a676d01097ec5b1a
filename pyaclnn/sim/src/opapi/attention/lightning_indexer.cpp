// Keys that queries choose by an indexer's scores, and the statistics of all scores.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/attention/index_scores.hpp"
#include "opapi/attention/layouts.hpp"
#include "opapi/attention/shapes.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/integers.hpp"
#include "opapi/common/stored_rows.hpp"
#include "parameters/DenseLightningIndexerSoftmaxLse.hpp"
#include "parameters/LightningIndexer.hpp"
#include "parameters/LightningIndexerV2.hpp"
#include "parameters/QuantLightningIndexer.hpp"

namespace pyaclnn::sim {
namespace {

/// Queries, keys and weights of an indexer.
struct Indexer {
  AttentionRows query;
  AttentionRows key;
  View weights;  // [batch, heads, rows, 1]
  SequenceCut cut;

  std::int64_t heads() const { return query.view.shape[1]; }
};

/// Scores of one token with the keys it sees.
class TokenScores {
 public:
  TokenScores(const Indexer& indexer, const KernelMemory& memory)
      : indexer_(indexer),
        memory_(memory),
        query_(indexer.query),
        key_(indexer.key),
        weights_of_(indexer.weights),
        products_(memory, query_, indexer.heads(), key_, 1),
        weights_(std::size_t(indexer.heads())),
        block_(std::size_t(indexer.heads() * TokenProducts::kColumns)) {}

  const std::vector<float>& of(std::int64_t number, const IndexedSequence& sequence,
                               std::int64_t row) {
    const std::int64_t seen = seen_of(sequence, row);
    scores_.resize(std::size_t(seen));
    columns_.resize(std::size_t(TokenProducts::kColumns));
    products_.take(number, sequence, row);
    for (std::int64_t n = 0; n < indexer_.heads(); ++n)
      weights_of_.load(memory_, sequence.query_batch, n, sequence.first_row + row, 0, 1,
                       &weights_[std::size_t(n)]);
    for (std::int64_t first = 0; first < seen; first += TokenProducts::kColumns) {
      const std::int64_t count = std::min(TokenProducts::kColumns, seen - first);
      std::iota(columns_.begin(), columns_.begin() + count, first);
      products_.multiply(columns_.data(), count, block_.data(), TokenProducts::kColumns);
      weigh(block_.data(), TokenProducts::kColumns, weights_.data(), indexer_.heads(), count,
            scores_.data() + first);
    }
    return scores_;
  }

 private:
  const Indexer& indexer_;
  const KernelMemory& memory_;
  RowReader query_;
  RowReader key_;
  RowView weights_of_;
  TokenProducts products_;
  std::vector<float> weights_;
  std::vector<float> block_;
  std::vector<float> scores_;
  std::vector<std::int64_t> columns_;
};

/// Calls body(token, scores) for all tokens of the sequences, in parallel; `token` counts rows of
/// outputs.
template <class Body>
void each_token(const Indexer& indexer, const KernelMemory& memory,
                const std::vector<IndexedSequence>& sequences, Body body) {
  const RowsOfSequences rows(sequences);
  parallel_for(rows.count(), 4, [&](std::int64_t begin, std::int64_t end) {
    TokenScores scores(indexer, memory);
    for (std::int64_t i = begin; i < end; ++i) {
      const auto [number, row] = rows.at(i);
      const IndexedSequence& sequence = sequences[std::size_t(number)];
      body(sequence.query_batch * indexer.cut.rows + sequence.first_row + row,
           scores.of(number, sequence, row));
    }
  });
}

/// A number that has no order is more than all others.
float rank_of(float score) {
  return std::isnan(score) ? std::numeric_limits<float>::infinity() : score;
}

struct Chosen {
  View indices;  // [rows, count]
  std::optional<View> values;
  std::optional<View> row_lengths;
  std::optional<View> column_lengths;
  bool sums_have_zero;  // which stands before the first of running sums
  std::int64_t ratio;
  std::optional<View> residuals;
};

/// Lengths, or their running sums, without the 0 that may stand before these.
std::vector<std::int64_t> lengths_of(const std::optional<View>& view, const KernelMemory& memory,
                                     bool has_zero = false) {
  std::vector<std::int64_t> lengths;
  if (view.has_value()) lengths = integers_of(*view, memory);
  if (has_zero && !lengths.empty()) lengths.erase(lengths.begin());
  return lengths;
}

void launch_choice(Plan& plan, const Indexer& indexer, const Chosen& chosen) {
  plan.launch([=](const KernelMemory& memory) {
    const BatchedView indices(chosen.indices, 1);
    const StoreFn store = storer<std::int64_t>(ACL_INT32, Rounding::kTruncate);
    const std::int64_t count = indices.row_length();
    StoredRows values;
    if (chosen.values.has_value()) values = StoredRows(*chosen.values);
    const auto write = [&](std::int64_t token, const std::vector<std::int64_t>& at,
                           const std::vector<float>& scores) {
      indices.store(store, at.data(), sizeof(std::int64_t),
                    indices.base(memory) + indices.plane_bytes(token));
      if (values.given()) values.store(memory, token, scores.data());
    };
    const std::vector<std::int64_t> none(std::size_t(count), -1);
    const std::vector<float> lowest(none.size(), -std::numeric_limits<float>::infinity());
    for (std::int64_t token = 0; token < indices.count(); ++token) write(token, none, lowest);
    const std::vector<IndexedSequence> sequences =
        indexer.cut.sequences(lengths_of(chosen.row_lengths, memory, chosen.sums_have_zero),
                              lengths_of(chosen.column_lengths, memory,
                                         chosen.sums_have_zero && indexer.cut.columns_are_packed),
                              {chosen.ratio, lengths_of(chosen.residuals, memory)});
    each_token(indexer, memory, sequences,
               [&](std::int64_t token, const std::vector<float>& scores) {
                 std::vector<std::int64_t> order(scores.size());
                 std::iota(order.begin(), order.end(), 0);
                 const std::int64_t kept = std::min<std::int64_t>(count, ll(order.size()));
                 std::partial_sort(order.begin(), order.begin() + kept, order.end(),
                                   [&](std::int64_t a, std::int64_t b) {
                                     const float left = rank_of(scores[std::size_t(a)]);
                                     const float right = rank_of(scores[std::size_t(b)]);
                                     return left != right ? left > right : a < b;
                                   });
                 std::vector<std::int64_t> at = none;
                 std::vector<float> best = lowest;
                 for (std::size_t i = 0; i < std::size_t(kept); ++i) {
                   at[i] = order[i];
                   best[i] = scores[std::size_t(order[i])];
                 }
                 write(token, at, best);
               });
  });
}

/// What an indexer takes, quantised or not; of scales only given() may be asked if there are none.
struct IndexerCall {
  const TensorArgument& query;
  const TensorArgument& key;
  const TensorArgument& weights;
  const TensorArgument& query_scale;
  const TensorArgument& key_scale;
  const TensorArgument& row_lengths;
  const TensorArgument& column_lengths;
  const TensorArgument& pages;
  const std::string& row_layout;
  const std::string& column_layout;
  std::int64_t count;
  std::int64_t mode;
  std::int64_t before;
  std::int64_t behind;
  const TensorArgument& indices;
  const TensorArgument* values;
  bool sums_have_zero;
  std::int64_t ratio;
  const TensorArgument* residuals;
};

/// Shapes that queries, keys and weights have in common; how they are cut into sequences.
SequenceCut check_indexer(Plan& plan, const TensorArgument& query, const TensorArgument& key,
                          const TensorArgument& weights, const std::string& row_layout,
                          const std::string& column_layout, std::int64_t batch, bool is_causal) {
  const bool is_packed = row_layout == "TND";
  check_rank(plan, query, is_packed ? 3 : 4);
  check_rank(plan, key, column_layout == "TND" ? 3 : 4);
  check_tiling(plan, !query.is_empty() && !key.is_empty(), "query or key is empty");
  const Dims& rows = query.shape();
  const Dims& columns = key.shape();
  const std::size_t last = rows.size() - 1;
  const std::size_t last_key = columns.size() - 1;
  check_tiling(plan, rows[last] == kIndexDepth && columns[last_key] == kIndexDepth,
               "%s has shape %s and %s has %s, their last extent must be 128", query.name(),
               rows.text().c_str(), key.name(), columns.text().c_str());
  check_tiling(plan, columns[last_key - 1] == 1, "%s has %lld heads, it must have one", key.name(),
               ll(columns[last_key - 1]));
  check_shape(plan, weights, Dims(rows.begin(), last));
  check_tiling(plan, is_packed || column_layout != "BSND" || columns[0] == rows[0],
               "%s has shape %s, %s has %s", query.name(), rows.text().c_str(), key.name(),
               columns.text().c_str());
  return {is_packed ? batch : rows[0],
          is_packed ? rows[0] : rows[1],
          column_layout == "TND" ? columns[0] : columns[1],
          is_packed,
          column_layout == "TND",
          is_causal};
}

void choose(Plan& plan, const IndexerCall& call) {
  const bool has_pages = call.column_layout == "PA_BSND";
  check_tiling(plan, has_pages || call.row_layout == call.column_layout,
               "layoutQuery is %s and layoutKey %s", call.row_layout.c_str(),
               call.column_layout.c_str());
  check_tiling(plan, call.row_layout == "BSND" || call.row_layout == "TND",
               "layoutQuery is %s, it must be BSND or TND", call.row_layout.c_str());
  check_tiling(plan, call.mode == 0 || call.mode == kCausal,
               "sparseMode is %lld, it must be 0 or 3", ll(call.mode));
  check_tiling(plan, call.before == kAllTokens && call.behind == kAllTokens,
               "preTokens is %lld and nextTokens %lld, they must be 2^63 - 1", ll(call.before),
               ll(call.behind));
  const bool is_packed = call.row_layout == "TND";
  check_tiling(plan, !is_packed || call.row_lengths.given(), "TND needs lengths of queries");
  check_tiling(plan, !(is_packed || has_pages) || call.column_lengths.given(),
               "%s needs lengths of keys", call.column_layout.c_str());
  check_tiling(plan, has_pages == call.pages.given(), "blockTable goes with PA_BSND alone");
  const std::int64_t zeros = call.sums_have_zero ? 1 : 0;
  const std::int64_t lengths = is_packed ? call.row_lengths.elements() - zeros : 0;
  check_tiling(plan, !is_packed || lengths > 0, "there is no sequence");
  SequenceCut cut = check_indexer(plan, call.query, call.key, call.weights, call.row_layout,
                                  call.column_layout, lengths, call.mode == kCausal);
  const std::int64_t heads = call.query.shape()[call.query.rank() - 2];
  check_tiling(plan, heads <= 64, "query has %lld heads, at most 64 are allowed", ll(heads));
  check_shape(plan, call.row_lengths, {cut.batch + zeros});
  check_shape(plan, call.column_lengths, {cut.batch + (cut.columns_are_packed ? zeros : 0)});
  if (has_pages) {
    check_rank(plan, call.pages, 2);
    const std::int64_t block = call.key.shape()[1];
    check_tiling(plan, call.pages.shape()[0] == cut.batch,
                 "blockTable has shape %s for %lld sequences", call.pages.shape().text().c_str(),
                 ll(cut.batch));
    check_tiling(plan, block % 16 == 0 && block <= 1024,
                 "blocks have %lld tokens, a multiple of 16 up to 1024 is allowed", ll(block));
    // A sequence has a page once.
    cut.columns = block * std::min(call.pages.shape()[1], call.key.shape()[0]);
  }
  Dims out = call.query.shape();
  out.set(out.size() - 2, 1);
  out.set(out.size() - 1, call.count);
  check_shape(plan, call.indices, out);
  if (call.values != nullptr) check_shape(plan, *call.values, out);

  const auto rows_of = [](const TensorArgument& of) {
    return Dims(of.shape().begin(), of.rank() - 1);
  };
  check_shape(plan, call.query_scale, rows_of(call.query));
  check_shape(plan, call.key_scale, rows_of(call.key));
  Indexer indexer{
      AttentionRows::of(by_heads(plan.reads(call.query), call.row_layout, heads)),
      AttentionRows::of(by_heads(plan.reads(call.key), has_pages ? "BSND" : call.column_layout, 1)),
      numbers_by_heads(plan.reads(call.weights), call.row_layout), cut};
  if (call.query_scale.given())
    indexer.query.scale = numbers_by_heads(plan.reads(call.query_scale), call.row_layout);
  if (call.key_scale.given())
    indexer.key.scale =
        numbers_by_heads(plan.reads(call.key_scale), has_pages ? "BSND" : call.column_layout);
  if (has_pages) indexer.key.pages = plan.reads(call.pages);
  Chosen chosen{plan.writes(call.indices), {}, {}, {}, call.sums_have_zero, call.ratio, {}};
  if (call.residuals != nullptr && call.residuals->given()) {
    check_shape(plan, *call.residuals, {cut.batch});
    chosen.residuals = plan.reads(*call.residuals);
  }
  if (call.values != nullptr) chosen.values = plan.writes(*call.values);
  if (call.row_lengths.given()) chosen.row_lengths = plan.reads(call.row_lengths);
  if (call.column_lengths.given()) chosen.column_lengths = plan.reads(call.column_lengths);
  launch_choice(plan, indexer, chosen);
}

void check_integers(const Check& check, const TensorArgument& rows, const TensorArgument& columns,
                    const TensorArgument& pages) {
  for (const TensorArgument* tensor : {&rows, &columns, &pages})
    if (tensor->given()) check.dtype_in(DtypeSet{ACL_INT32}, *tensor);
}

}  // namespace

void lightning_indexer(const Check& check, Plan& plan, const LightningIndexerParameters& given) {
  needs_kernel(plan, on_a2_or_a3() || on_950());
  check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, given.query);
  check.same_dtype(given.query, given.key);
  if (on_950() || given.weights.dtype() != ACL_FLOAT) check.same_dtype(given.query, given.weights);
  check_integers(check, given.actualSeqLengthsQueryOptional, given.actualSeqLengthsKeyOptional,
                 given.blockTableOptional);
  check.dtype_in(DtypeSet{ACL_INT32}, given.sparseIndicesOut);
  if (given.returnValues) check.same_dtype(given.query, given.sparseValuesOut);
  const std::int64_t count = given.sparseCount;
  check_tiling(plan, count > 0 && (count <= 2048 || (count <= 8192 && count % 1024 == 0)),
               "sparseCount is %lld, 1 to 2048 and multiples of 1024 up to 8192 are allowed",
               ll(count));
  const std::string columns = layout_of(given.layoutKeyOptional);
  check_tiling(plan, !given.returnValues || columns != "PA_BSND",
               "returnValues must be false where keys lie in pages");
  const TensorArgument none{Absent{}};
  choose(plan, {given.query, given.key, given.weights, none, none,
                given.actualSeqLengthsQueryOptional, given.actualSeqLengthsKeyOptional,
                given.blockTableOptional, layout_of(given.layoutQueryOptional), columns, count,
                given.sparseMode, given.preTokens, given.nextTokens, given.sparseIndicesOut,
                given.returnValues ? &given.sparseValuesOut : nullptr, false, 1, nullptr});
}

void lightning_indexer_v2(const Check& check, Plan& plan,
                          const LightningIndexerV2Parameters& given) {
  needs_kernel(plan, on_a2_or_a3());
  check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, given.q);
  check.same_dtype(given.q, given.k);
  check.dtype_in(DtypeSet{ACL_FLOAT}, given.w, given.sparseValues);
  check.dtype_in(DtypeSet{ACL_INT32}, given.sparseIndices);
  for (const TensorArgument* tensor :
       {&given.cuSeqlensQOptional, &given.cuSeqlensKOptional, &given.sequsedQOptional,
        &given.sequsedKOptional, &given.cmpResidualKOptional, &given.blockTableOptional,
        &given.outputIdxOffsetOptional, &given.metadataOptional})
    if (tensor->given()) check.dtype_in(DtypeSet{ACL_INT32}, *tensor);
  const std::string rows = layout_of(given.layoutQ);
  std::string columns = layout_of(given.layoutK);
  const bool has_pages = columns == "PA_BBND";
  if (has_pages) columns = "PA_BSND";
  check_tiling(
      plan, given.topk > 0 && (given.topk <= 2048 || given.topk % 1024 == 0) && given.topk <= 8192,
      "topk is %lld, 1 to 2048 and multiples of 1024 up to 8192 are allowed", ll(given.topk));
  check_tiling(plan, given.cmpRatio > 0 && given.cmpRatio <= 128,
               "cmpRatio is %lld, it must be 1 to 128", ll(given.cmpRatio));
  const bool is_compressed = given.maskMode == kCausal && given.cmpRatio != 1;
  check_tiling(plan, !is_compressed || given.cmpResidualKOptional.given(),
               "cmpResidualK is null, which maskMode 3 needs with cmpRatio %lld",
               ll(given.cmpRatio));
  check_tiling(plan, !given.metadataOptional.given() || given.metadataOptional.elements() == 1024,
               "metadata must have 1024 numbers");
  // Its kernel reads neither sequsedQ nor outputIdxOffset, but for samples the numbers behind the
  // first of cuSeqlensQ as lengths, and sequsedK.
  if (columns == "BSND" && given.cuSeqlensKOptional.given() && !given.sequsedKOptional.given())
    fail_not_simulated(plan, "cuSeqlensK beside keys of BSND without sequsedK");
  const TensorArgument none{Absent{}};
  choose(plan,
         {given.q, given.k, given.w, none, none, given.cuSeqlensQOptional,
          columns == "TND" ? given.cuSeqlensKOptional : given.sequsedKOptional,
          given.blockTableOptional, rows, columns, given.topk, given.maskMode, kAllTokens,
          kAllTokens, given.sparseIndices, given.returnValue != 0 ? &given.sparseValues : nullptr,
          true, given.cmpRatio, is_compressed ? &given.cmpResidualKOptional : nullptr});
}

void quant_lightning_indexer(const Check& check, Plan& plan,
                             const QuantLightningIndexerParameters& given) {
  needs_kernel(plan, on_a2_or_a3() || on_950());
  const DtypeSet bytes =
      on_950() ? DtypeSet{ACL_INT8, ACL_FLOAT8_E4M3FN, ACL_HIFLOAT8} : DtypeSet{ACL_INT8};
  check.dtype_in(bytes, given.query);
  check.same_dtype(given.query, given.key);
  check.same_dtype(given.queryDequantScale, given.keyDequantScale);
  const bool is_half = given.weights.dtype() == ACL_FLOAT16 &&
                       given.queryDequantScale.dtype() == ACL_FLOAT16 &&
                       given.query.dtype() != ACL_HIFLOAT8;
  const bool is_wide = given.weights.dtype() == ACL_BF16 &&
                       given.queryDequantScale.dtype() == ACL_FLOAT &&
                       given.query.dtype() != ACL_INT8;
  check.that(is_half || is_wide, "weights and scales have types that do not go with query's");
  check_integers(check, given.actualSeqLengthsQueryOptional, given.actualSeqLengthsKeyOptional,
                 given.blockTableOptional);
  check.dtype_in(DtypeSet{ACL_INT32}, given.out);
  check_tiling(plan, given.queryQuantMode == 0 && given.keyQuantMode == 0,
               "queryQuantMode is %lld and keyQuantMode %lld, they must be 0",
               ll(given.queryQuantMode), ll(given.keyQuantMode));
  check_tiling(plan, given.sparseCount > 0 && given.sparseCount <= 2048,
               "sparseCount is %lld, 1 to 2048 is allowed", ll(given.sparseCount));
  choose(plan,
         {given.query, given.key, given.weights, given.queryDequantScale, given.keyDequantScale,
          given.actualSeqLengthsQueryOptional, given.actualSeqLengthsKeyOptional,
          given.blockTableOptional, layout_of(given.layoutQueryOptional),
          layout_of(given.layoutKeyOptional), given.sparseCount, given.sparseMode, given.preTokens,
          given.nextTokens, given.out, nullptr, false, 1, nullptr});
}

void dense_lightning_indexer_softmax_lse(const Check& check, Plan& plan,
                                         const DenseLightningIndexerSoftmaxLseParameters& given) {
  needs_kernel(plan, on_a2_or_a3() || on_950());
  check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, given.queryIndex);
  check.same_dtype(given.queryIndex, given.keyIndex);
  if (given.weight.dtype() != ACL_FLOAT) check.same_dtype(given.queryIndex, given.weight);
  check.dtype_in(DtypeSet{ACL_FLOAT}, given.softmaxMaxOut, given.softmaxSumOut);
  check_tiling(plan, given.sparseMode == kCausal, "sparseMode is %lld, it must be 3",
               ll(given.sparseMode));
  check_tiling(plan, given.preTokens == kAllTokens && given.nextTokens == kAllTokens,
               "preTokens is %lld and nextTokens %lld, they must be 2^63 - 1", ll(given.preTokens),
               ll(given.nextTokens));
  const std::string layout = layout_of(given.layoutOptional);
  check_tiling(plan, layout == "BSND" || layout == "TND", "layout is %s, it must be BSND or TND",
               layout.c_str());
  const bool is_packed = layout == "TND";
  std::vector<std::int64_t> lengths[2];
  const IntArrayIn* arrays[] = {&given.actualSeqLengthsQueryOptional,
                                &given.actualSeqLengthsKeyOptional};
  for (std::size_t i = 0; i < 2; ++i) {
    check_tiling(plan, !is_packed || arrays[i]->given(), "TND needs %s", arrays[i]->name());
    if (arrays[i]->given()) lengths[i] = arrays[i]->values();
  }
  const SequenceCut cut = check_indexer(plan, given.queryIndex, given.keyIndex, given.weight,
                                        layout, layout, std::int64_t(lengths[0].size()), true);
  for (const std::vector<std::int64_t>& of : lengths)
    check_tiling(plan, (of.empty() && !is_packed) || std::int64_t(of.size()) == cut.batch,
                 "%zu lengths for %lld sequences", of.size(), ll(cut.batch));
  const Dims expected = is_packed ? Dims{1, cut.rows} : Dims{cut.batch, 1, cut.rows};
  check_shape(plan, given.softmaxMaxOut, expected);
  check_shape(plan, given.softmaxSumOut, expected);
  const std::int64_t heads = given.queryIndex.shape()[given.queryIndex.rank() - 2];
  const Indexer indexer{AttentionRows::of(by_heads(plan.reads(given.queryIndex), layout, heads)),
                        AttentionRows::of(by_heads(plan.reads(given.keyIndex), layout, 1)),
                        numbers_by_heads(plan.reads(given.weight), layout), cut};
  // An output's rows are single numbers.
  const auto numbers = [&](const TensorArgument& out) {
    View view = plan.writes(out);
    view.shape.push_back(1);
    view.strides.push_back(0);
    return StoredRows(view);
  };
  plan.launch([=, sequences = cut.sequences(lengths[0], lengths[1]),
               largest = numbers(given.softmaxMaxOut),
               sums = numbers(given.softmaxSumOut)](const KernelMemory& memory) {
    each_token(indexer, memory, sequences,
               [&](std::int64_t token, const std::vector<float>& scores) {
                 float most = -std::numeric_limits<float>::infinity();
                 for (const float score : scores) most = std::max(most, score);
                 double sum = 0;
                 for (const float score : scores) sum += std::exp(double(score - most));
                 const float total = float(sum);
                 largest.store(memory, token, &most);
                 sums.store(memory, token, &total);
               });
  });
}

}  // namespace pyaclnn::sim
