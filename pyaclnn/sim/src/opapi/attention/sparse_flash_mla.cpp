// Attention of queries to a window of latent vectors and to compressed ones, which are keys and
// values at once.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "objects/dtype.hpp"
#include "opapi/attention/attention.hpp"
#include "opapi/attention/integers.hpp"
#include "opapi/attention/layouts.hpp"
#include "opapi/attention/shapes.hpp"
#include "opapi/attention/tokens.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "parameters/SparseFlashMla.hpp"

namespace pyaclnn::sim {
namespace {

using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t kDepth = 512;
constexpr std::int64_t kCausal = 3;
constexpr std::int64_t kBand = 4;
constexpr std::int64_t kPlan = 1024;

long long ll(std::int64_t value) { return value; }

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
            std::pair<std::int64_t, std::int64_t> range, std::byte* to) {
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
  for (std::int64_t i = 0; i < range.second; ++i, to += kDepth * size) {
    std::int64_t block = tokens.sums.has_value() ? 0 : sequence;
    std::int64_t row = range.first + i;
    if (tokens.pages.has_value()) {
      block = pages[std::size_t(row / tokens.view.shape[2])];
      row %= tokens.view.shape[2];
      if (block < 0 || block >= tokens.view.shape[0]) {
        std::fill_n(to, kDepth * size, std::byte{0});
        continue;
      }
    }
    const std::int64_t at = tokens.view.offset + block * strides[0] + row * strides[2];
    for (std::int64_t k = 0; k < kDepth; ++k)
      std::copy_n(from + (at + k * strides[3]) * size, size, to + k * size);
  }
}

/// Columns that one row sees, of `all` in the window's part and `few` behind them.
void append_columns(const Mla& mla, std::int64_t row, std::int64_t rows, std::int64_t all,
                    std::int64_t few, std::int64_t residual, const Numbers* chosen,
                    std::vector<std::int32_t>& to) {
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
  std::int64_t seen = few;
  if (mla.compressed_mode == kCausal) {
    const std::int64_t tokens = few * mla.ratio + residual - rows + row + 1;
    seen = tokens < 0 ? 0 : std::min(tokens / mla.ratio, few);
  }
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

void run_mla(const Mla& mla, const KernelMemory& memory) {
  constexpr std::int64_t kRows = 256;  // whose lists are made at once
  const auto rows = mla.query.ranges(memory, mla.batch);
  const auto whole = mla.whole.ranges(memory, mla.batch);
  const auto compressed = mla.compressed.has_value()
                              ? mla.compressed->ranges(memory, mla.batch)
                              : std::vector<std::pair<std::int64_t, std::int64_t>>(rows.size());
  Numbers residuals(rows.size());
  if (mla.residuals.has_value()) residuals = integers_of(*mla.residuals, memory);
  const aclDataType dtype = mla.whole.view.dtype;
  for (std::size_t b = 0; b < rows.size(); ++b) {
    const std::int64_t all = whole[b].second;
    const std::int64_t few = compressed[b].second;
    std::vector<std::byte> keys(std::size_t((all + few) * kDepth) * dtype_size(dtype));
    const std::int64_t number = std::int64_t(b);
    gather(mla.whole, memory, number, whole[b], keys.data());
    if (few > 0)
      gather(*mla.compressed, memory, number, compressed[b],
             keys.data() + std::size_t(all * kDepth) * dtype_size(dtype));
    for (std::int64_t first = 0; first < rows[b].second; first += kRows) {
      const std::int64_t count = std::min(kRows, rows[b].second - first);
      const std::int64_t batch = mla.query.sums.has_value() ? 0 : number;
      std::vector<std::vector<std::int32_t>> seen(static_cast<std::size_t>(count));
      std::size_t most = 1;
      for (std::int64_t i = 0; i < count; ++i) {
        Numbers chosen;
        if (mla.indices.has_value()) {
          View own = *mla.indices;
          own.offset += batch * own.strides[0] + (rows[b].first + first + i) * own.strides[2];
          own.shape = {1, 1, 1, own.shape[3]};
          chosen = integers_of(own, memory);
        }
        std::vector<std::int32_t>& to = seen[std::size_t(i)];
        append_columns(mla, first + i, rows[b].second, all, few, residuals[b],
                       mla.indices.has_value() ? &chosen : nullptr, to);
        most = std::max(most, to.size());
      }
      std::vector<std::int32_t> lists(most * seen.size(), -1);
      for (std::size_t i = 0; i < seen.size(); ++i)
        std::copy(seen[i].begin(), seen[i].end(), lists.begin() + std::ptrdiff_t(i * most));
      KernelMemory own = memory;
      const auto add = [&](void* data, aclDataType of, const Dims& shape) {
        View view;
        view.operand = own.operands.size();
        view.dtype = of;
        view.shape = shape;
        view.strides = contiguous_strides(shape);
        own.operands.push_back(static_cast<std::byte*>(data));
        return view;
      };
      Attention attention = mla.attention;
      attention.key.view = add(keys.data(), dtype, {1, 1, all + few, kDepth});
      attention.value.view = attention.key.view;
      AttentionLists chosen;
      chosen.view = add(lists.data(), ACL_INT32, {1, 1, count, std::int64_t(most)});
      attention.lists = chosen;
      AttentionSequence sequence;
      sequence.query_batch = batch;
      sequence.first_row = rows[b].first + first;
      sequence.rows = count;
      sequence.columns = all + few;
      attention.sequences = {sequence};
      run_attention(attention, own);
    }
  }
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
  check_tiling(plan, shape[last] == kDepth && shape[last - 1] == 1,
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
  check_kernel_exists(plan, on_a2_or_a3() || on_950());
  check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, query);
  check.same_dtype(query, given.attnOutOut);
  for (const TensorArgument* tensor : {&given.oriKvOptional, &given.cmpKvOptional})
    if (tensor->given()) check.same_dtype(query, *tensor);
  for (const TensorArgument* tensor :
       {&indices, &given.oriBlockTableOptional, &given.cmpBlockTableOptional,
        &given.cuSeqlensQOptional, &given.cuSeqlensOriKvOptional, &given.cuSeqlensCmpKvOptional,
        &given.sequsedOriKvOptional, &given.sequsedCmpKvOptional, &given.cmpResidualKvOptional,
        &given.metadataOptional})
    if (tensor->given()) check.dtype_in(DtypeSet{ACL_INT32}, *tensor);
  check_tiling(plan, given.oriKvOptional.given(), "oriKv is null");
  check_tiling(plan, given.sinksOptional.given() && given.metadataOptional.given(),
               "sinks or metadata is null");
  check.dtype_in(DtypeSet{ACL_FLOAT}, given.sinksOptional);
  check_tiling(plan, given.metadataOptional.elements() == kPlan, "metadata must have 1024 numbers");
  if (on_950() && (is_there(given.oriSparseIndicesOptional) ||
                   is_there(given.oriTopkLengthOptional) || is_there(given.cmpTopkLengthOptional)))
    fail_not_simulated(plan, "indices of oriKv and lengths of indices");
  check_tiling(plan, !given.oriSparseIndicesOptional.given(), "oriSparseIndices must be null");
  check_tiling(plan,
               !is_there(given.oriTopkLengthOptional) && !is_there(given.cmpTopkLengthOptional),
               "oriTopkLength and cmpTopkLength must be empty");
  if (given.sequsedQOptional.given()) fail_not_simulated(plan, "sequsedQ");
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
  if (latent == "TND" && given.sequsedOriKvOptional.given())
    fail_not_simulated(plan, "sequsedOriKv of layoutKv TND");
  check_tiling(plan, has_compressed || !indices.given(), "cmpSparseIndices needs cmpKv");
  const std::size_t rank = is_packed ? 3 : 4;
  check_rank(plan, query, rank);
  check_tiling(plan, !query.is_empty(), "q is empty");
  const Dims& shape = query.shape();
  const std::int64_t heads = shape[rank - 2];
  check_tiling(plan, heads >= 1 && heads <= 128 && (on_950() || (heads & (heads - 1)) == 0),
               "q has %lld heads, it must have a power of 2 up to 128", ll(heads));
  check_tiling(plan, shape[rank - 1] == kDepth, "heads have %lld values, they must have 512",
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
  mla.whole = check_latent(plan,
                           {given.oriKvOptional, given.oriBlockTableOptional,
                            given.cuSeqlensOriKvOptional, given.sequsedOriKvOptional},
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
    check_shape(plan, lse,
                is_packed ? Dims{1, shape[0], heads} : Dims{shape[0], 1, shape[1], heads});
    View view = plan.writes(lse);
    const Dims strides = view.strides;
    view.shape = {is_packed ? 1 : shape[0], heads, shape[rank - 3], 1};
    view.strides = {is_packed ? 0 : strides[0], strides[rank - 1], strides[rank - 2], 1};
    mla.attention.lse = AttentionStatistics{view, false};
    launch_zero(plan, lse);
  }
  plan.launch([mla = std::move(mla)](const KernelMemory& memory) { run_mla(mla, memory); });
}

}  // namespace pyaclnn::sim
