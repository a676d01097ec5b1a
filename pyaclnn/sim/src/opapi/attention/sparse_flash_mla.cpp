// Attention of queries to a window of latent vectors and to compressed ones, which are keys and
// values at once, and its gradients.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/attention/attention.hpp"
#include "opapi/attention/attention_gradients.hpp"
#include "opapi/attention/layouts.hpp"
#include "opapi/attention/rows.hpp"
#include "opapi/attention/scores.hpp"
#include "opapi/attention/shapes.hpp"
#include "opapi/attention/tokens.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/integers.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/packed_operand.hpp"
#include "parameters/SparseFlashMla.hpp"
#include "parameters/SparseFlashMlaGrad.hpp"

namespace pyaclnn::sim {
namespace {

using Numbers = std::vector<std::int64_t>;
using Range = std::pair<std::int64_t, std::int64_t>;  // the first, and how many

constexpr std::int64_t kLatent = 512;
constexpr std::int64_t kCausal = 3;
constexpr std::int64_t kBand = 4;
constexpr std::int64_t kPlan = 1024;

struct Mla {
  Tokens query;
  Tokens whole;
  std::optional<Tokens> compressed;
  std::optional<View> indices;  // [batch, 1, rows, count]
  std::optional<View> residuals;
  std::int64_t batch = 0;
  std::int64_t ratio = 1;
  std::int64_t mode = kBand;
  std::int64_t compressed_mode = kCausal;
  std::int64_t before = -1;  // of a band; -1: all
  std::int64_t behind = -1;
  Attention attention;  // without keys
};

/// The rows of tokens as they lie in memory, behind one another.
void gather(const Tokens& tokens, const KernelMemory& memory, std::int64_t sequence,
            const Range& range, std::byte* to) {
  const std::int64_t size = std::int64_t(dtype_size(tokens.view.dtype));
  const std::byte* from = memory.operands[tokens.view.operand];
  const Dims& strides = tokens.view.strides;
  Numbers pages;
  if (tokens.pages.has_value()) {
    View own = *tokens.pages;
    own.offset += sequence * own.strides[0];
    own.shape.set(0, 1);
    pages = integers_of(own, memory);
  }
  for (std::int64_t i = 0; i < range.second; ++i, to += kLatent * size) {
    std::int64_t block = tokens.sums.has_value() ? 0 : sequence;
    std::int64_t row = range.first + i;
    if (tokens.pages.has_value()) {
      block = pages[std::size_t(row / tokens.view.shape[2])];
      row %= tokens.view.shape[2];
      if (block < 0 || block >= tokens.view.shape[0]) {
        std::fill_n(to, kLatent * size, std::byte{0});
        continue;
      }
    }
    const std::int64_t at = tokens.view.offset + block * strides[0] + row * strides[2];
    for (std::int64_t k = 0; k < kLatent; ++k)
      std::copy_n(from + (at + k * strides[3]) * size, size, to + k * size);
  }
}

/// How many compressed vectors a row sees, of those that there are.
std::int64_t seen_compressed(const Mla& mla, std::int64_t row, std::int64_t rows, std::int64_t few,
                             std::int64_t residual) {
  if (mla.compressed_mode != kCausal) return few;
  const std::int64_t tokens = few * mla.ratio + residual - rows + row + 1;
  return tokens < 0 ? 0 : std::min(tokens / mla.ratio, few);
}

/// Columns that one row sees, of `all` in the window's part and the compressed ones behind them.
void append_columns(const Mla& mla, std::int64_t row, std::int64_t rows, std::int64_t all,
                    std::int64_t seen, const Numbers* chosen, std::vector<std::int32_t>& to) {
  const std::int64_t end = all - rows + row + 1;
  std::int64_t first = 0;
  std::int64_t last = all;
  if (mla.mode == kCausal) last = end;
  if (mla.mode == kBand) {
    if (mla.before >= 0) first = std::max<std::int64_t>(end - mla.before - 1, 0);
    if (mla.behind >= 0) last = end + std::min(mla.behind, all + rows);
  }
  last = std::min(last, all);
  for (std::int64_t j = first; j < last; ++j) to.push_back(std::int32_t(j));
  if (chosen == nullptr) {
    for (std::int64_t j = 0; j < seen; ++j) to.push_back(std::int32_t(all + j));
    return;
  }
  const std::int64_t count = std::min<std::int64_t>(seen, ll(chosen->size()));
  for (std::int64_t j = 0; j < count; ++j) {
    const std::int64_t column = (*chosen)[std::size_t(j)];
    if (column >= 0 && column < seen) to.push_back(std::int32_t(all + column));
  }
}

/// Makes what the kernel has in memory of its own an operand.
View append_operand(KernelMemory& memory, void* data, aclDataType dtype, const Dims& shape) {
  View view;
  view.operand = memory.operands.size();
  view.dtype = dtype;
  view.shape = shape;
  view.strides = contiguous_strides(shape);
  memory.operands.push_back(static_cast<std::byte*>(data));
  return view;
}

/// One sequence: its latent vectors, the compressed ones behind the others, and what rows see.
class Sequence {
 public:
  Sequence(const Mla& mla, const KernelMemory& memory, std::size_t number, const Range& rows,
           const Range& whole, const Range& few, std::int64_t residual)
      : number_(std::int64_t(number)),
        rows_(rows),
        whole_(whole),
        few_(few),
        mla_(mla),
        memory_(memory),
        residual_(residual),
        keys_(std::size_t((whole.second + few.second) * kLatent) *
              dtype_size(mla.whole.view.dtype)) {
    gather(mla.whole, memory, number_, whole, keys_.data());
    if (few.second == 0) return;
    const std::size_t size = dtype_size(mla.whole.view.dtype);
    gather(*mla.compressed, memory, number_, few,
           keys_.data() + std::size_t(whole.second * kLatent) * size);
  }

  std::int64_t batch() const { return mla_.query.sums.has_value() ? 0 : number_; }
  const Range& rows() const { return rows_; }
  const Range& whole() const { return whole_; }
  const Range& few() const { return few_; }
  std::int64_t columns() const { return whole_.second + few_.second; }
  View keys(KernelMemory& memory) {
    return append_operand(memory, keys_.data(), mla_.whole.view.dtype, {1, 1, columns(), kLatent});
  }

  /// Which compressed vectors were chosen for a row.
  Numbers chosen(std::int64_t row) const {
    View own = *mla_.indices;
    own.offset += batch() * own.strides[0] + (rows_.first + row) * own.strides[2];
    own.shape = {1, 1, 1, own.shape[3]};
    return integers_of(own, memory_);
  }
  std::int64_t seen(std::int64_t row) const {
    return seen_compressed(mla_, row, rows_.second, few_.second, residual_);
  }

  /// Calls `visit(attention, memory)` for some rows after others.
  template <class Visit>
  void each_part(Visit visit) {
    constexpr std::int64_t kRows = 256;  // whose lists are made at once
    for (std::int64_t first = 0; first < rows_.second; first += kRows) {
      const std::int64_t count = std::min(kRows, rows_.second - first);
      std::vector<std::vector<std::int32_t>> columns_of(static_cast<std::size_t>(count));
      std::size_t most = 1;
      for (std::int64_t i = 0; i < count; ++i) {
        Numbers own;
        if (mla_.indices.has_value()) own = chosen(first + i);
        std::vector<std::int32_t>& to = columns_of[std::size_t(i)];
        append_columns(mla_, first + i, rows_.second, whole_.second, seen(first + i),
                       mla_.indices.has_value() ? &own : nullptr, to);
        most = std::max(most, to.size());
      }
      std::vector<std::int32_t> lists(most * columns_of.size(), -1);
      for (std::size_t i = 0; i < columns_of.size(); ++i)
        std::copy(columns_of[i].begin(), columns_of[i].end(),
                  lists.begin() + std::ptrdiff_t(i * most));
      KernelMemory own = memory_;
      Attention attention = mla_.attention;
      attention.key.view = attention.value.view = keys(own);
      AttentionLists list;
      list.view = append_operand(own, lists.data(), ACL_INT32, {1, 1, count, std::int64_t(most)});
      attention.lists = list;
      AttentionSequence sequence;
      sequence.query_batch = batch();
      sequence.first_row = rows_.first + first;
      sequence.rows = count;
      sequence.columns = columns();
      attention.sequences = {sequence};
      visit(attention, own);
    }
  }

 private:
  std::int64_t number_;
  Range rows_;
  Range whole_;
  Range few_;
  const Mla& mla_;
  const KernelMemory& memory_;
  std::int64_t residual_;
  std::vector<std::byte> keys_;
};

/// Calls `visit(sequence)` for one after another.
template <class Visit>
void each_sequence(const Mla& mla, const KernelMemory& memory, Visit visit) {
  const auto rows = mla.query.ranges(memory, mla.batch);
  const auto whole = mla.whole.ranges(memory, mla.batch);
  const auto few = mla.compressed.has_value() ? mla.compressed->ranges(memory, mla.batch)
                                              : std::vector<Range>(rows.size());
  Numbers residuals(rows.size());
  if (mla.residuals.has_value()) residuals = integers_of(*mla.residuals, memory);
  for (std::size_t b = 0; b < rows.size(); ++b) {
    Sequence sequence(mla, memory, b, rows[b], whole[b], few[b], residuals[b]);
    visit(sequence);
  }
}

void run_mla(const Mla& mla, const KernelMemory& memory) {
  each_sequence(mla, memory, [](Sequence& sequence) {
    sequence.each_part(
        [](const Attention& attention, const KernelMemory& own) { run_attention(attention, own); });
  });
}

struct MlaGradients {
  Mla mla;
  View grad;
  View query;
  View whole;
  std::optional<View> compressed;
  View sinks;
  std::optional<View> weights;  // of chosen vectors, the mean of all heads
};

/// The mean over heads of the weights of chosen vectors; those that are not seen have none.
void store_weights(const MlaGradients& of, Sequence& sequence, const KernelMemory& memory) {
  const Attention& attention = of.mla.attention;
  KernelMemory own = memory;
  const RowView keys(sequence.keys(own));
  const RowView query(attention.query.view);
  const RowView to(*of.weights);
  const StatisticRows lse(*attention.lse);
  const LineLoops& loops = LineLoops::of_this_cpu();
  const std::int64_t heads = attention.heads();
  const std::int64_t batch = sequence.batch();
  AttentionSequence place;
  place.query_batch = batch;
  place.first_row = sequence.rows().first;
  parallel_for(sequence.rows().second, 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> queries(static_cast<std::size_t>(heads * kLatent));
    std::vector<float> key(static_cast<std::size_t>(kLatent));
    for (std::int64_t row = begin; row < end; ++row) {
      for (std::int64_t n = 0; n < heads; ++n)
        query.load(memory, batch, n, place.first_row + row, 0, kLatent,
                   queries.data() + n * kLatent);
      const Numbers chosen = sequence.chosen(row);
      const std::int64_t seen = sequence.seen(row);
      std::vector<float> means(chosen.size());
      for (std::size_t j = 0; j < std::min(chosen.size(), std::size_t(seen)); ++j) {
        if (chosen[j] < 0 || chosen[j] >= seen) continue;
        keys.load(own, 0, 0, sequence.whole().second + chosen[j], 0, kLatent, key.data());
        float sum = 0;
        for (std::int64_t n = 0; n < heads; ++n) {
          float product = 0;
          loops.dot(queries.data() + n * kLatent, key.data(), kLatent, &product);
          sum += std::exp(product * attention.scale - lse.load(memory, place, n, row));
        }
        means[j] = sum / float(heads);
      }
      to.store(memory, batch, 0, place.first_row + row, means.data(), std::int64_t(means.size()));
    }
  });
}

void run_mla_gradients(const MlaGradients& of, const KernelMemory& memory) {
  const std::int64_t heads = of.mla.attention.heads();
  std::vector<double> sinks(static_cast<std::size_t>(heads));
  each_sequence(of.mla, memory, [&](Sequence& sequence) {
    const std::size_t size = std::size_t(sequence.columns() * kLatent);
    std::vector<float> sums(size), by_score(size), by_weight(size);
    std::vector<float> own_sinks(sinks.size());
    sequence.each_part([&](const Attention& attention, KernelMemory& own) {
      AttentionGradients gradients;
      gradients.forward = attention;
      gradients.grad = of.grad;
      gradients.query = of.query;
      const Dims shape{1, 1, sequence.columns(), kLatent};
      gradients.key = append_operand(own, by_score.data(), ACL_FLOAT, shape);
      gradients.value = append_operand(own, by_weight.data(), ACL_FLOAT, shape);
      gradients.sink = append_operand(own, own_sinks.data(), ACL_FLOAT, {heads});
      run_attention_gradients(gradients, own);
      for (std::size_t i = 0; i < size; ++i) sums[i] += by_score[i] + by_weight[i];
      for (std::size_t n = 0; n < sinks.size(); ++n) sinks[n] += double(own_sinks[n]);
    });
    const auto store = [&](const View& view, bool is_packed, const Range& range,
                           std::int64_t first) {
      const RowView rows(view);
      for (std::int64_t i = 0; i < range.second; ++i)
        rows.store(memory, is_packed ? 0 : sequence.batch(), 0, range.first + i,
                   sums.data() + (first + i) * kLatent, kLatent);
    };
    store(of.whole, of.mla.whole.sums.has_value(), sequence.whole(), 0);
    if (of.compressed.has_value())
      store(*of.compressed, of.mla.compressed->sums.has_value(), sequence.few(),
            sequence.whole().second);
    if (of.weights.has_value()) store_weights(of, sequence, memory);
  });
  PackedOperand(of.sinks).write(memory, std::vector<float>(sinks.begin(), sinks.end()));
}

/// CANN takes tensors without elements for none.
bool is_there(const TensorArgument& tensor) { return tensor.given() && !tensor.is_empty(); }

struct LatentTensors {
  const TensorArgument& vectors;
  const TensorArgument& pages;
  const TensorArgument& sums;
  const TensorArgument& used;
};

Tokens check_latent(Plan& plan, const LatentTensors& of, const std::string& layout,
                    std::int64_t batch) {
  const bool has_pages = layout == "PA_BBND";
  check_tiling(plan, !of.vectors.is_empty(), "%s is empty", of.vectors.name());
  check_rank(plan, of.vectors, layout == "TND" ? 3 : 4);
  const Dims& shape = of.vectors.shape();
  const std::size_t last = shape.size() - 1;
  check_tiling(plan, shape[last] == kLatent && shape[last - 1] == 1,
               "%s has shape %s, it must have one head of 512", of.vectors.name(),
               shape.text().c_str());
  check_tiling(plan, layout != "BSND" || shape[0] == batch, "%s has shape %s for %lld sequences",
               of.vectors.name(), shape.text().c_str(), ll(batch));
  Tokens tokens;
  tokens.view = by_heads(plan.reads(of.vectors), has_pages ? "BSND" : layout, 1);
  check_tiling(plan, of.pages.given() == has_pages, "a table of blocks goes with PA_BBND alone");
  check_tiling(plan, of.sums.given() == (layout == "TND"),
               "running sums of lengths go with TND alone");
  if (has_pages) {
    check_tiling(plan, shape[1] <= 1024 && (on_950() || shape[1] % 16 == 0),
                 "blocks have %lld tokens, a multiple of 16 up to 1024 is allowed", ll(shape[1]));
    check_rank(plan, of.pages, 2);
    check_tiling(plan, of.pages.shape()[0] == batch, "%s has shape %s for %lld sequences",
                 of.pages.name(), of.pages.shape().text().c_str(), ll(batch));
    tokens.pages = plan.reads(of.pages);
  }
  if (of.sums.given()) {
    check_shape(plan, of.sums, {batch + 1});
    tokens.sums = plan.reads(of.sums);
  }
  if (of.used.given()) {
    check_shape(plan, of.used, {batch});
    tokens.used = plan.reads(of.used);
  }
  return tokens;
}

/// The shape of the logarithms of sums, of a query of this shape.
Dims lse_shape(const Dims& query) {
  if (query.size() == 3) return {1, query[0], query[1]};
  return {query[0], 1, query[1], query[2]};
}

View lse_view(View view, bool is_packed) {
  const Dims shape = view.shape;
  const Dims strides = view.strides;
  const std::size_t last = shape.size() - 1;
  view.shape = {is_packed ? 1 : shape[0], shape[last], shape[last - 1], 1};
  view.strides = {is_packed ? 0 : strides[0], strides[last], strides[last - 1], 1};
  return view;
}

void check_modes(Plan& plan, const SparseFlashMlaParameters& given, bool has_compressed,
                 bool is_chosen) {
  if (!on_950()) {
    check_tiling(plan, given.oriMaskMode == kBand && given.cmpMaskMode == kCausal,
                 "oriMaskMode is %lld and cmpMaskMode %lld, they must be 4 and 3",
                 ll(given.oriMaskMode), ll(given.cmpMaskMode));
    check_tiling(plan, given.oriWinLeft == 127 && given.oriWinRight == 0,
                 "the window is %lld and %lld, it must be 127 and 0", ll(given.oriWinLeft),
                 ll(given.oriWinRight));
    const std::int64_t ratio = has_compressed ? (is_chosen ? 4 : 128) : 1;
    check_tiling(plan, given.cmpRatio == ratio, "cmpRatio is %lld, it must be %lld",
                 ll(given.cmpRatio), ll(ratio));
  }
  check_tiling(plan,
               given.oriMaskMode == 0 || given.oriMaskMode == kCausal || given.oriMaskMode == kBand,
               "oriMaskMode is %lld, it must be 0, 3 or 4", ll(given.oriMaskMode));
  check_tiling(plan, given.cmpMaskMode == 0 || given.cmpMaskMode == kCausal,
               "cmpMaskMode is %lld, it must be 0 or 3", ll(given.cmpMaskMode));
  check_tiling(plan, given.oriWinLeft >= -1 && given.oriWinRight >= -1,
               "the window is %lld and %lld, it must not be below -1", ll(given.oriWinLeft),
               ll(given.oriWinRight));
  check_tiling(plan, given.cmpRatio >= 1 && given.cmpRatio <= 128,
               "cmpRatio is %lld, it must be 1 to 128", ll(given.cmpRatio));
  check_tiling(plan, given.topkValueMode == 1, "topkValueMode is %lld, it must be 1",
               ll(given.topkValueMode));
}

}  // namespace

void sparse_flash_mla(const Check& check, Plan& plan, const SparseFlashMlaParameters& given) {
  const TensorArgument& query = given.q;
  const TensorArgument& indices = given.cmpSparseIndicesOptional;
  const bool has_compressed = given.cmpKvOptional.given();
  needs_kernel(plan, on_a2_or_a3() || on_950());
  check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, query);
  check.same_dtype(query, given.attnOutOut);
  for (const TensorArgument* tensor : {&given.oriKvOptional, &given.cmpKvOptional})
    if (tensor->given()) check.same_dtype(query, *tensor);
  for (const TensorArgument* tensor :
       {&indices, &given.oriBlockTableOptional, &given.cmpBlockTableOptional,
        &given.cuSeqlensQOptional, &given.cuSeqlensOriKvOptional, &given.cuSeqlensCmpKvOptional,
        &given.sequsedQOptional, &given.sequsedOriKvOptional, &given.sequsedCmpKvOptional,
        &given.cmpResidualKvOptional, &given.metadataOptional})
    if (tensor->given()) check.dtype_in(DtypeSet{ACL_INT32}, *tensor);
  check_tiling(plan, given.oriKvOptional.given(), "oriKv is null");
  check_tiling(plan, given.sinksOptional.given() && given.metadataOptional.given(),
               "sinks or metadata is null");
  check.dtype_in(DtypeSet{ACL_FLOAT}, given.sinksOptional);
  check_tiling(plan, given.metadataOptional.elements() == kPlan, "metadata must have 1024 numbers");
  check_tiling(plan, !given.oriSparseIndicesOptional.given(), "oriSparseIndices must be null");
  check_tiling(plan,
               !is_there(given.oriTopkLengthOptional) && !is_there(given.cmpTopkLengthOptional),
               "oriTopkLength and cmpTopkLength must be empty");
  check_modes(plan, given, has_compressed, indices.given());
  const std::string layout = given.layoutQOptional.given() ? given.layoutQOptional.text : "BSND";
  const std::string latent = given.layoutKvOptional.given() ? given.layoutKvOptional.text : "BSND";
  check_tiling(plan, layout == "BSND" || layout == "TND", "layoutQ is %s", layout.c_str());
  check_tiling(plan, latent == layout || latent == "PA_BBND", "layoutQ is %s, layoutKv is %s",
               layout.c_str(), latent.c_str());
  const bool is_packed = layout == "TND";
  check_tiling(plan, given.cuSeqlensQOptional.given() == is_packed,
               "cuSeqlensQ goes with TND alone");
  check_tiling(plan, latent != "PA_BBND" || given.sequsedOriKvOptional.given(),
               "PA_BBND needs sequsedOriKv");
  check_tiling(plan, has_compressed || !indices.given(), "cmpSparseIndices needs cmpKv");
  const std::size_t rank = is_packed ? 3 : 4;
  check_rank(plan, query, rank);
  check_tiling(plan, !query.is_empty(), "q is empty");
  const Dims& shape = query.shape();
  const std::int64_t heads = shape[rank - 2];
  check_tiling(plan, heads >= 1 && heads <= 128 && (on_950() || (heads & (heads - 1)) == 0),
               "q has %lld heads, it must have a power of 2 up to 128", ll(heads));
  check_tiling(plan, shape[rank - 1] == kLatent, "heads have %lld values, they must have 512",
               ll(shape[rank - 1]));
  check_shape(plan, given.attnOutOut, shape);
  check_shape(plan, given.sinksOptional, {heads});

  Mla mla;
  mla.batch = is_packed ? given.cuSeqlensQOptional.elements() - 1 : shape[0];
  check_tiling(plan, mla.batch > 0, "there is no sequence");
  mla.query.view = by_heads(plan.reads(query), layout, 1);
  if (is_packed) {
    check_rank(plan, given.cuSeqlensQOptional, 1);
    mla.query.sums = plan.reads(given.cuSeqlensQOptional);
  }
  // Where tokens lie behind one another, kernels before the 950 read the sums alone.
  const TensorArgument none{Absent{}};
  const TensorArgument& used = given.sequsedQOptional;
  if (is_there(used) && (!is_packed || on_950())) {
    check_shape(plan, used, {mla.batch});
    mla.query.used = plan.reads(used);
  }
  mla.whole =
      check_latent(plan,
                   {given.oriKvOptional, given.oriBlockTableOptional, given.cuSeqlensOriKvOptional,
                    latent != "TND" || on_950() ? given.sequsedOriKvOptional : none},
                   latent, mla.batch);
  if (has_compressed) {
    mla.compressed = check_latent(plan,
                                  {given.cmpKvOptional, given.cmpBlockTableOptional,
                                   given.cuSeqlensCmpKvOptional, given.sequsedCmpKvOptional},
                                  latent, mla.batch);
    const TensorArgument& residuals = given.cmpResidualKvOptional;
    check_tiling(plan, given.cmpMaskMode == 0 || given.cmpRatio == 1 || residuals.given(),
                 "cmpResidualKv is null, which cmpMaskMode 3 needs");
    if (residuals.given()) {
      check_shape(plan, residuals, {mla.batch});
      mla.residuals = plan.reads(residuals);
    }
  }
  if (indices.given()) {
    check_rank(plan, indices, rank);
    Dims expected = shape;
    expected.set(rank - 2, 1);
    const std::int64_t count = indices.shape()[rank - 1];
    expected.set(rank - 1, count);
    check_shape(plan, indices, expected);
    check_tiling(plan, count == 512 || count == 1024 || (on_950() && count > 0),
                 "cmpSparseIndices has %lld columns, it must have 512 or 1024", ll(count));
    mla.indices = by_heads(plan.reads(indices), layout, 1);
  }
  mla.ratio = given.cmpRatio;
  mla.mode = given.oriMaskMode;
  mla.compressed_mode = given.cmpMaskMode;
  mla.before = given.oriWinLeft;
  mla.behind = given.oriWinRight;
  mla.attention.query.view = mla.query.view;
  mla.attention.scale = float(given.softmaxScale);
  mla.attention.sink = plan.reads(given.sinksOptional);
  mla.attention.out = by_heads(plan.writes(given.attnOutOut), layout, 1);
  launch_zero(plan, given.attnOutOut);
  if (given.returnSoftmaxLse) {
    const TensorArgument& lse = given.softmaxLseOutOptional;
    check_tiling(plan, lse.given(), "softmaxLse is null");
    check.dtype_in(DtypeSet{ACL_FLOAT}, lse);
    check_shape(plan, lse, lse_shape(shape));
    mla.attention.lse = AttentionStatistics{lse_view(plan.writes(lse), is_packed), false};
    launch_zero(plan, lse);
  }
  plan.launch([mla = std::move(mla)](const KernelMemory& memory) { run_mla(mla, memory); });
}

namespace {

/// What CANN's division of the work refuses of the gradient's arguments.
void check_gradient(Plan& plan, const SparseFlashMlaGradParameters& given) {
  for (const TensorArgument* tensor :
       {&given.oriSparseIndicesOptional, &given.sequsedQOptional, &given.sequsedOriKvOptional,
        &given.sequsedCmpKvOptional, &given.oriTopkLengthOptional, &given.cmpTopkLengthOptional,
        &given.metadataOptional})
    check_tiling(plan, !tensor->given(), "%s must be null", tensor->name());
  check_tiling(plan, given.oriKvOptional.given(), "oriKv is null");
  check_tiling(plan, given.cmpRatio >= 1 && given.cmpRatio <= 128,
               "cmpRatio is %lld, it must be 1 to 128", ll(given.cmpRatio));
  check_tiling(plan, given.oriWinLeft == 127 && given.oriWinRight == 0,
               "the window is %lld and %lld, it must be 127 and 0", ll(given.oriWinLeft),
               ll(given.oriWinRight));
  check_tiling(plan, given.oriMaskMode == kBand, "oriMaskMode is %lld, it must be 4",
               ll(given.oriMaskMode));
  // Its kernel reads and writes them without looking.
  check_tiling(plan, given.sinksOptional.given() && given.dSinksOutOptional.given(),
               "sinks or dSinks is null");
  check_tiling(plan, given.dOriKvOutOptional.given(), "dOriKv is null");
}

/// An output like an input, 0 where nothing is written.
View gradient_of(Plan& plan, const TensorArgument& of, const TensorArgument& out,
                 const std::string& layout) {
  check_shape(plan, out, of.shape());
  plan.result(out.dtype(), out.shape()).copy_to(out);
  const View view = plan.writes(out);
  launch_zero(plan, out);
  return by_heads(view, layout, 1);
}

}  // namespace

void sparse_flash_mla_grad(const Check& check, Plan& plan,
                           const SparseFlashMlaGradParameters& given) {
  const TensorArgument& query = given.query;
  const TensorArgument& chosen = given.cmpSparseIndicesOptional;
  const bool has_compressed = is_there(given.cmpKvOptional);
  const bool is_chosen = has_compressed && is_there(chosen);
  needs_kernel(plan, on_a2_or_a3());
  check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, query);
  check.same_dtype(query, given.dOut, given.out, given.dQueryOut);
  for (const TensorArgument* tensor : {&given.oriKvOptional, &given.cmpKvOptional,
                                       &given.dOriKvOutOptional, &given.dCmpKvOutOptional})
    if (tensor->given()) check.same_dtype(query, *tensor);
  check.dtype_in(DtypeSet{ACL_FLOAT}, given.lse);
  for (const TensorArgument* tensor :
       {&given.sinksOptional, &given.dSinksOutOptional, &given.cmpSoftmaxL1NormOptional})
    if (tensor->given()) check.dtype_in(DtypeSet{ACL_FLOAT}, *tensor);
  for (const TensorArgument* tensor :
       {&chosen, &given.cuSeqlensQOptional, &given.cuSeqlensOriKvOptional,
        &given.cuSeqlensCmpKvOptional, &given.cmpResidualKvOptional})
    if (tensor->given()) check.dtype_in(DtypeSet{ACL_INT32}, *tensor);
  if (query.is_empty()) return;

  check_gradient(plan, given);
  const std::string layout = given.layoutQOptional.given() ? given.layoutQOptional.text : "BSND";
  const std::string latent = given.layoutKvOptional.given() ? given.layoutKvOptional.text : "BSND";
  check_tiling(plan, layout == latent && (layout == "BSND" || layout == "TND"),
               "layoutQ is %s, layoutKv is %s", layout.c_str(), latent.c_str());
  const bool is_packed = layout == "TND";
  const std::size_t rank = is_packed ? 3 : 4;
  check_rank(plan, query, rank);
  const Dims& shape = query.shape();
  const std::int64_t heads = shape[rank - 2];
  check_tiling(plan, heads >= 1 && heads <= 128, "query has %lld heads, 1 to 128 are allowed",
               ll(heads));
  check_tiling(plan, shape[rank - 1] == kLatent, "heads have %lld values, they must have 512",
               ll(shape[rank - 1]));
  for (const TensorArgument* saved : {&given.dOut, &given.out}) check_shape(plan, *saved, shape);
  check_shape(plan, given.lse, lse_shape(shape));
  const TensorArgument& sums = given.cuSeqlensQOptional;
  check_tiling(plan, !is_packed || (sums.given() && sums.rank() == 1 && sums.elements() > 1),
               "cuSeqlensQ is null or has not two numbers, which TND needs");
  check_shape(plan, given.sinksOptional, {heads});
  for (const TensorArgument* tensor :
       {&query, &given.dOut, &given.out, &given.lse, &given.oriKvOptional})
    plan.stage(*tensor).contiguous();

  MlaGradients gradients;
  Mla& mla = gradients.mla;
  mla.batch = is_packed ? sums.elements() - 1 : shape[0];
  mla.query.view = by_heads(plan.reads(query), layout, 1);
  if (is_packed) mla.query.sums = plan.reads(sums);
  const TensorArgument none{Absent{}};
  mla.whole = check_latent(
      plan, {given.oriKvOptional, none, is_packed ? given.cuSeqlensOriKvOptional : none, none},
      latent, mla.batch);
  if (has_compressed) {
    check_tiling(plan, given.cmpMaskMode == kCausal, "cmpMaskMode is %lld, it must be 3",
                 ll(given.cmpMaskMode));
    const TensorArgument& residuals = given.cmpResidualKvOptional;
    check_tiling(plan, residuals.given(), "cmpResidualKv is null");
    check_shape(plan, residuals, {mla.batch});
    mla.residuals = plan.reads(residuals);
    mla.compressed = check_latent(
        plan, {given.cmpKvOptional, none, is_packed ? given.cuSeqlensCmpKvOptional : none, none},
        latent, mla.batch);
  }
  mla.ratio = given.cmpRatio;
  mla.before = given.oriWinLeft;
  mla.behind = given.oriWinRight;
  mla.attention.query.view = mla.query.view;
  mla.attention.scale = float(given.scaleValue);
  mla.attention.sink = plan.reads(given.sinksOptional);
  mla.attention.out = by_heads(plan.reads(given.out), layout, 1);
  mla.attention.lse = AttentionStatistics{lse_view(plan.reads(given.lse), is_packed), false};
  gradients.grad = by_heads(plan.reads(given.dOut), layout, 1);
  gradients.query = gradient_of(plan, query, given.dQueryOut, layout);
  gradients.whole = gradient_of(plan, given.oriKvOptional, given.dOriKvOutOptional, layout);
  if (has_compressed) {
    check_tiling(plan, given.dCmpKvOutOptional.given(), "dCmpKv is null");
    gradients.compressed = gradient_of(plan, given.cmpKvOptional, given.dCmpKvOutOptional, layout);
  }
  check_shape(plan, given.dSinksOutOptional, {heads});
  plan.result(ACL_FLOAT, {heads}).copy_to(given.dSinksOutOptional);
  gradients.sinks = plan.writes(given.dSinksOutOptional);
  if (is_chosen) {
    check_rank(plan, chosen, rank);
    Dims expected = shape;
    expected.set(rank - 2, 1);
    expected.set(rank - 1, chosen.shape()[rank - 1]);
    check_shape(plan, chosen, expected);
    mla.indices = by_heads(plan.reads(chosen), layout, 1);
    const TensorArgument& weights = given.cmpSoftmaxL1NormOptional;
    check_tiling(plan, weights.given(), "cmpSoftmaxL1Norm is null beside cmpSparseIndices");
    gradients.weights = gradient_of(plan, chosen, weights, layout);
  }
  plan.launch([gradients = std::move(gradients)](const KernelMemory& memory) {
    run_mla_gradients(gradients, memory);
  });
}

}  // namespace pyaclnn::sim
