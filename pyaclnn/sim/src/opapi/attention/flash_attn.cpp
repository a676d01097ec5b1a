// Attention for training and inference of the 950, whose lengths stand in tensors, and the plan
// that stands before it.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "opapi/attention/attention.hpp"
#include "opapi/attention/block_cache.hpp"
#include "opapi/attention/layouts.hpp"
#include "opapi/attention/rows.hpp"
#include "opapi/attention/shapes.hpp"
#include "opapi/attention/tokens.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/integers.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/packed_operand.hpp"
#include "parameters/FlashAttn.hpp"
#include "parameters/FlashAttnMetadata.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kNoMask = 0;
constexpr std::int64_t kCausal = 3;
constexpr std::int64_t kBand = 4;

std::string or_default(const Text& layout) { return layout.given() ? layout.text : "BSND"; }

bool is_one_of(const std::string& layout, std::initializer_list<const char*> allowed) {
  return std::find(allowed.begin(), allowed.end(), layout) != allowed.end();
}

bool is_head_size(std::int64_t depth) { return depth == 64 || depth == 128 || depth == 256; }

struct Call {
  Tokens query;
  Tokens keys;  // of pages of fractals, the key's: [pages, tokens, heads, lanes, lane]
  View values;  // as `keys`
  bool has_fractals = false;
  std::int64_t batch = 0;
  std::int64_t mode = kNoMask;
  std::int64_t left = -1;  // of a band; -1: all
  std::int64_t right = -1;
  Attention attention;  // without keys and values where these have fractals
};

/// Pages of fractals as pages of rows, [pages, heads, tokens, depth]; only those that a table has.
std::unique_ptr<std::byte[]> rows_of_pages(const View& fractals, const View& table,
                                           const KernelMemory& memory) {
  const Dims& shape = fractals.shape;
  const Dims& strides = fractals.strides;
  const std::int64_t size = std::int64_t(dtype_size(fractals.dtype));
  const std::int64_t row = shape[3] * shape[4] * size;
  const std::int64_t page_size = shape[1] * shape[2] * row;
  std::unique_ptr<std::byte[]> result(new std::byte[std::size_t(shape[0] * page_size)]);
  std::vector<char> is_done(static_cast<std::size_t>(shape[0]));
  for (const std::int64_t page : integers_of(table, memory)) {
    if (page < 0 || page >= shape[0] || is_done[std::size_t(page)]) continue;
    is_done[std::size_t(page)] = 1;
    std::byte* to = result.get() + page * page_size;
    for (std::int64_t n = 0; n < shape[2]; ++n)
      for (std::int64_t t = 0; t < shape[1]; ++t)
        for (std::int64_t d = 0; d < shape[3]; ++d)
          for (std::int64_t i = 0; i < shape[4]; ++i, to += size) {
            const std::int64_t at = fractals.offset + page * strides[0] + t * strides[1] +
                                    n * strides[2] + d * strides[3] + i * strides[4];
            std::memcpy(to, memory.operands[fractals.operand] + at * size, std::size_t(size));
          }
  }
  return result;
}

void run(const Call& call, const KernelMemory& memory) {
  Attention attention = call.attention;
  KernelMemory own = memory;
  std::vector<std::unique_ptr<std::byte[]>> pages;
  if (call.has_fractals) {
    for (auto [fractals, rows] :
         {std::pair{&call.keys.view, &attention.key}, std::pair{&call.values, &attention.value}}) {
      pages.push_back(rows_of_pages(*fractals, *call.keys.pages, memory));
      const Dims& shape = fractals->shape;
      View view;
      view.operand = own.operands.size();
      view.dtype = fractals->dtype;
      view.shape = {shape[0], shape[2], shape[1], shape[3] * shape[4]};
      view.strides = contiguous_strides(view.shape);
      own.operands.push_back(pages.back().get());
      rows->view = view;
    }
  }
  attention.key.pages = attention.value.pages = call.keys.pages;
  Tokens columns = call.keys;
  columns.view = attention.key.view;
  const auto of_rows = call.query.ranges(memory, call.batch);
  const auto of_columns = columns.ranges(memory, call.batch);
  std::int64_t covered = 0;
  for (std::size_t b = 0; b < of_rows.size(); ++b) {
    AttentionSequence sequence;
    sequence.query_batch = call.query.sums.has_value() ? 0 : std::int64_t(b);
    sequence.first_row = of_rows[b].first;
    sequence.rows = of_rows[b].second;
    sequence.key_batch = call.keys.sums.has_value() ? 0 : std::int64_t(b);
    sequence.first_column = of_columns[b].first;
    sequence.columns = of_columns[b].second;
    const std::int64_t more = sequence.columns - sequence.rows;
    if (call.mode == kCausal) sequence.ahead = more;
    if (call.mode == kBand && call.left >= 0) sequence.behind = call.left - more;
    if (call.mode == kBand && call.right >= 0) sequence.ahead = call.right + more;
    covered += sequence.rows;
    attention.sequences.push_back(sequence);
  }
  const Dims& rows = call.query.view.shape;
  if (covered < rows[0] * rows[2]) {
    fill_rows(attention.out, memory, 0);
    if (attention.lse.has_value())
      fill_rows(attention.lse->view, memory, std::numeric_limits<float>::infinity());
  }
  run_attention(attention, own);
}

/// Lengths of one side, whose tokens lie behind one another in TND alone.
void plan_lengths(Plan& plan, const TensorArgument& sums, const TensorArgument& used,
                  bool is_packed, std::int64_t batch, Tokens& tokens) {
  check_tiling(plan, sums.given() == is_packed, "%s goes with TND alone", sums.name());
  check_shape(plan, sums, {batch + 1});
  check_shape(plan, used, {batch});
  if (sums.given()) tokens.sums = plan.reads(sums);
  if (used.given()) tokens.used = plan.reads(used);
}

void check_mask(const Plan& plan, const FlashAttnParameters& given) {
  const std::int64_t mode = given.maskMode;
  check_tiling(plan, mode == kNoMask || mode == kCausal || mode == kBand,
               "maskMode is %lld, it must be 0, 3 or 4", ll(mode));
  const bool has_window = given.winLeft != -1 || given.winRight != -1;
  check_tiling(plan, given.winLeft >= -1 && given.winRight >= -1 && (mode == kBand || !has_window),
               "winLeft is %lld and winRight %lld for maskMode %lld", ll(given.winLeft),
               ll(given.winRight), ll(mode));
  constexpr std::int64_t kTriangle = 2048;
  check_shape(plan, given.attnMaskOptional, {kTriangle, kTriangle});
  check_tiling(plan, given.attnMaskOptional.given() == (mode != kNoMask),
               "attnMask goes with maskMode 3 and 4 alone");
}

/// Keys and values, and where their sequences lie.
void plan_keys(Plan& plan, const FlashAttnParameters& given, const std::string& layout,
               std::int64_t heads, std::int64_t depth, Call& call) {
  const bool is_paged = given.blockTableOptional.given();
  check_tiling(plan, is_paged == (layout.rfind("PA_", 0) == 0),
               "layoutKv is %s, and a table of blocks goes with those in pages alone",
               layout.c_str());
  call.has_fractals = layout == "PA_NZ";
  check_rank(plan, given.k, layout == "TND" ? 3 : call.has_fractals ? 5 : 4);
  const Dims& shape = given.k.shape();
  check_tiling(plan, given.v.shape() == shape, "k has shape %s, v has %s", shape.text().c_str(),
               given.v.shape().text().c_str());
  const View keys = plan.reads(given.k);
  const View values = plan.reads(given.v);
  std::int64_t key_heads = 0;
  std::int64_t key_depth = 0;
  std::int64_t tokens = 0;
  if (call.has_fractals) {
    const std::int64_t lane = fractal_lane(keys.dtype);
    key_heads = shape[1];
    tokens = shape[3];
    key_depth = shape[2] <= 256 ? shape[2] * lane : 0;
    check_tiling(plan, shape[4] == lane, "k has shape %s, its last axis must be %lld",
                 shape.text().c_str(), ll(lane));
    call.keys.view = block_rows(plan, keys, BlockLayout::kFractals, tokens, key_heads, key_depth);
    call.values = block_rows(plan, values, BlockLayout::kFractals, tokens, key_heads, key_depth);
  } else {
    const std::string by = layout == "PA_BBND" ? "BSND" : layout == "PA_BNBD" ? "BNSD" : layout;
    call.keys.view = by_heads(keys, by, 1);
    call.attention.key.view = call.keys.view;
    call.attention.value.view = by_heads(values, by, 1);
    key_heads = call.keys.view.shape[1];
    tokens = call.keys.view.shape[2];
    key_depth = call.keys.view.shape[3];
  }
  check_tiling(plan, key_heads > 0 && heads % key_heads == 0,
               "q has %lld heads, which is no multiple of %lld of k", ll(heads), ll(key_heads));
  check_tiling(plan, key_depth == depth, "k has heads of %lld values, q of %lld", ll(key_depth),
               ll(depth));
  check_tiling(plan, is_paged || layout == "TND" || shape[0] == call.batch,
               "k has shape %s for %lld sequences", shape.text().c_str(), ll(call.batch));
  if (is_paged) {
    check_tiling(plan, tokens % 16 == 0 && tokens >= 16 && tokens <= 1024,
                 "blocks have %lld tokens, a multiple of 16 up to 1024 is allowed", ll(tokens));
    check_rank(plan, given.blockTableOptional, 2);
    check_tiling(plan, given.blockTableOptional.shape()[0] == call.batch,
                 "blockTable has shape %s for %lld sequences",
                 given.blockTableOptional.shape().text().c_str(), ll(call.batch));
    check_tiling(plan, given.sequsedKvOptional.given(), "a table of blocks needs sequsedKv");
    call.keys.pages = plan.reads(given.blockTableOptional);
  }
  plan_lengths(plan, given.cuSeqlensKvOptional, given.sequsedKvOptional, layout == "TND",
               call.batch, call.keys);
}

}  // namespace

void flash_attn(const Check& check, Plan& plan, const FlashAttnParameters& given) {
  needs_kernel(plan, on_950());
  const TensorArgument& query = given.q;
  check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, query);
  check.same_dtype(query, given.k, given.v, given.attnOut);
  for (const TensorArgument* tensor :
       {&given.blockTableOptional, &given.cuSeqlensQOptional, &given.cuSeqlensKvOptional,
        &given.sequsedQOptional, &given.sequsedKvOptional, &given.metadataOptional})
    if (tensor->given()) check.dtype_in(DtypeSet{ACL_INT32}, *tensor);
  if (given.attnMaskOptional.given()) check.dtype_in(DtypeSet{ACL_INT8}, given.attnMaskOptional);
  const TensorArgument& lse = given.softmaxLseOptional;
  const bool returns_lse = given.returnSoftmaxLse != 0;
  if (returns_lse && lse.given()) check.dtype_in(DtypeSet{ACL_FLOAT}, lse);
  for (const TensorArgument* tensor : {&query, &given.k, &given.v, &given.attnOut})
    check_tiling(plan, !tensor->is_empty(), "%s is empty", tensor->name());

  const std::string layout = or_default(given.layoutQ);
  const std::string key_layout = or_default(given.layoutKv);
  const std::string out_layout = or_default(given.layoutOut);
  check_tiling(plan, is_one_of(layout, {"BSND", "BNSD", "TND"}), "layoutQ is %s", layout.c_str());
  check_tiling(plan, key_layout == layout || is_one_of(key_layout, {"PA_BBND", "PA_BNBD", "PA_NZ"}),
               "layoutQ is %s, layoutKv is %s", layout.c_str(), key_layout.c_str());
  check_tiling(plan, out_layout == layout || (layout == "BNSD" && out_layout == "BSND"),
               "layoutQ is %s, layoutOut is %s", layout.c_str(), out_layout.c_str());
  for (const std::int64_t most : {given.maxSeqlenQ, given.maxSeqlenKV})
    check_tiling(plan, most >= -1, "a longest sequence is %lld, it must not be below -1", ll(most));
  check_mask(plan, given);
  const TensorArgument& sinks = given.sinksOptional;
  check_tiling(plan, !sinks.given() || sinks.shape() == Dims{0}, "CANN has no sinks here yet");
  const TensorArgument& metadata = given.metadataOptional;
  check_tiling(plan, metadata.given() && metadata.rank() == 1 && !metadata.is_empty(),
               "metadata is missing or has not one dimension");
  check_tiling(plan, given.returnSoftmaxLse == 0 || given.returnSoftmaxLse == 1,
               "returnSoftmaxLse is %lld, it must be 0 or 1", ll(given.returnSoftmaxLse));
  check_tiling(plan, !returns_lse || lse.given(), "softmaxLse is null");

  const bool is_packed = layout == "TND";
  check_rank(plan, query, is_packed ? 3 : 4);
  Call call;
  call.query.view = by_heads(plan.reads(query), layout, 1);
  const Dims rows = call.query.view.shape;
  const TensorArgument& sums = given.cuSeqlensQOptional;
  check_tiling(plan, !is_packed || (sums.given() && sums.elements() > 1),
               "cuSeqlensQ must have two numbers at least");
  call.batch = is_packed ? sums.elements() - 1 : rows[0];
  constexpr std::int64_t kMostSequences = 65536;
  check_tiling(plan, call.batch < kMostSequences, "there are %lld sequences, 65535 are allowed",
               ll(call.batch));
  check_tiling(plan, is_head_size(rows[3]), "heads have %lld values, 64, 128 or 256 are allowed",
               ll(rows[3]));
  plan_lengths(plan, given.cuSeqlensQOptional, given.sequsedQOptional, is_packed, call.batch,
               call.query);
  plan_keys(plan, given, key_layout, rows[1], rows[3], call);
  call.mode = given.maskMode;
  call.left = given.winLeft;
  call.right = given.winRight;
  constexpr std::int64_t kFar = std::numeric_limits<std::int32_t>::max();
  call.left = std::min(call.left, kFar);
  call.right = std::min(call.right, kFar);
  for (const TensorArgument* tensor : {&query, &given.k, &given.v})
    plan.stage(*tensor).contiguous();

  const Dims expected = is_packed              ? Dims{rows[2], rows[1], rows[3]}
                        : out_layout == "BSND" ? Dims{rows[0], rows[2], rows[1], rows[3]}
                                               : Dims{rows[0], rows[1], rows[2], rows[3]};
  check_shape(plan, given.attnOut, expected);
  plan.result(query.dtype(), expected).copy_to(given.attnOut);
  Attention& attention = call.attention;
  attention.query.view = call.query.view;
  attention.out = by_heads(plan.writes(given.attnOut), out_layout, 1);
  attention.scale = static_cast<float>(given.softmaxScale);
  if (returns_lse) {
    const Dims shape = is_packed ? Dims{rows[1], rows[2]} : Dims{rows[0], rows[1], rows[2]};
    check_shape(plan, lse, shape);
    plan.result(ACL_FLOAT, shape).copy_to(lse);
    View view = plan.writes(lse);
    const Dims strides = view.strides;
    view.shape = {rows[0], rows[1], rows[2], 1};
    view.strides = is_packed ? Dims{0, strides[0], strides[1], 1}
                             : Dims{strides[0], strides[1], strides[2], 1};
    attention.lse = AttentionStatistics{view};
  }
  plan.launch([call = std::move(call)](const KernelMemory& memory) { run(call, memory); });
}

namespace {

/// 361001, which is how CANN reports parameters of this plan.
void check_plan(const Plan& plan, bool holds, const char* what) {
  if (!holds) fail(ACLNN_ERR_RUNTIME_ERROR, "%s: %s", plan.api(), what);
}

bool is_there(const TensorArgument& tensor) {
  return tensor.given() && tensor.rank() > 0 && tensor.shape()[0] > 0;
}

/// What the kernel multiplies at once: rows of queries, and columns.
std::pair<std::int64_t, std::int64_t> tile_of(const FlashAttnMetadataParameters& given) {
  constexpr std::int64_t kFar = std::numeric_limits<std::uint32_t>::max();
  constexpr std::int64_t kFewRows = 64;
  constexpr std::int64_t kManyColumns = 128;
  constexpr std::int64_t kCores = 2;  // of vectors, beside one of matrices
  const auto reach = [](std::int64_t window) {
    return window == -1 ? kFar : std::int64_t(std::uint32_t(window));
  };
  const bool is_few = given.maxSeqlenQ != -1 && given.maxSeqlenQ <= kFewRows;
  const bool is_long = given.maxSeqlenKv == -1 || given.maxSeqlenKv > kManyColumns;
  const std::int64_t left = given.maskMode == kNoMask ? 0 : reach(given.winLeft);
  const std::int64_t right = given.maskMode == kBand ? 0 : reach(given.winRight);
  const bool is_wide = is_few && is_long && left + right > kManyColumns;
  if (given.headDim == 256 || is_wide) return {32 * kCores, 256};
  return {64 * kCores, 128};
}

}  // namespace

void flash_attn_metadata(const Check&, Plan& plan, const FlashAttnMetadataParameters& given) {
  const auto is_count = [](std::int64_t value) { return value == -1 || value > 0; };
  check_plan(plan,
             is_count(given.batchSize) && is_count(given.maxSeqlenQ) && is_count(given.maxSeqlenKv),
             "batchSize, maxSeqlenQ and maxSeqlenKv must be -1 or positive");
  check_plan(plan, given.numHeadsQ > 0 && given.numHeadsKv > 0, "there are no heads");
  check_plan(plan, is_head_size(given.headDim), "headDim must be 64, 128 or 256");
  const auto is_layout = [](const Text& layout, std::initializer_list<const char*> allowed) {
    return layout.given() && is_one_of(layout.text, allowed);
  };
  check_plan(plan, is_layout(given.layoutQ, {"BSND", "TND", "BNSD"}),
             "layoutQ must be BSND, BNSD or TND");
  check_plan(plan,
             is_layout(given.layoutKv, {"BSND", "TND", "BNSD", "PA_BNBD", "PA_BBND", "PA_NZ"}),
             "layoutKv must be BSND, BNSD, TND, PA_BNBD, PA_BBND or PA_NZ");
  check_plan(plan, is_layout(given.layoutOut, {"BSND", "TND", "BNSD"}),
             "layoutOut must be BSND, BNSD or TND");
  const std::int64_t mode = given.maskMode;
  check_plan(plan, mode == kNoMask || mode == kCausal || mode == kBand,
             "maskMode must be 0, 3 or 4");
  check_plan(plan, given.winLeft >= -1 && given.winRight >= -1,
             "winLeft and winRight must not be below -1");
  check_plan(plan, given.metaData.given(), "metaData is null");
  struct Side {
    const TensorArgument& sums;
    const TensorArgument& used;
    bool is_packed;
    std::int64_t longest;
  };
  const Side sides[] = {{given.cuSeqlensQOptional, given.sequsedQOptional,
                         given.layoutQ.text == "TND", given.maxSeqlenQ},
                        {given.cuSeqlensKvOptional, given.sequsedKvOptional,
                         given.layoutKv.text == "TND", given.maxSeqlenKv}};
  for (const Side& side : sides) {
    check_plan(plan, is_there(side.sums) == side.is_packed,
               "running sums of lengths go with TND alone");
    check_plan(plan, side.is_packed || side.longest > 0 || is_there(side.used),
               "lengths or the longest of them must be given but for TND");
  }
  if (given.batchSize > 0) {
    for (const Side& side : sides) {
      check_plan(plan, !side.sums.given() || side.sums.shape() == Dims{given.batchSize + 1},
                 "there must be a running sum more than sequences");
      check_plan(plan, !side.used.given() || side.used.shape() == Dims{given.batchSize},
                 "there must be a length for each sequence");
    }
    check_plan(plan, given.numHeadsQ % given.numHeadsKv == 0,
               "numHeadsQ must be a multiple of numHeadsKv");
  }
  needs_kernel(plan, on_950());
  // Behind a head all cores of matrices, then all of vectors, which join what several cores did.
  constexpr std::int64_t kEntry = 16;
  constexpr std::int64_t kEntries = 1 + 36 + 72;
  check_inside(plan,
               given.metaData.dtype() == ACL_INT32 && given.metaData.rank() == 1 &&
                   given.metaData.elements() >= kEntry * kEntries,
               "metaData must be of int32, with %lld numbers at least", ll(kEntry * kEntries));
  std::int64_t batch = given.batchSize;
  if (is_there(given.sequsedQOptional))
    batch = given.sequsedQOptional.shape()[0];
  else if (is_there(given.cuSeqlensQOptional))
    batch = given.cuSeqlensQOptional.shape()[0] - 1;
  std::int64_t heads = 0;
  const bool fits = !__builtin_mul_overflow(batch, given.numHeadsKv, &heads) && heads > 0 &&
                    heads <= std::numeric_limits<std::int32_t>::max();
  const auto [rows, columns] = tile_of(given);
  const PackedOperand to = writes_packed(plan, given.metaData);
  plan.launch([=](const KernelMemory& memory) {
    if (!fits) fail(kRtAicpuException, "the plan of FlashAttn: there are no sequences");
    // All of them, of one section, are the first core's, to the end of the last head of keys.
    std::vector<std::int32_t> numbers(std::size_t(to.size()));
    constexpr std::size_t kFirstCore = kEntry;
    constexpr std::size_t kLastHead = 3;
    numbers[0] = 1;
    numbers[2] = std::int32_t(rows);
    numbers[3] = std::int32_t(columns);
    numbers[kFirstCore + kLastHead] = std::int32_t(heads);
    to.write(memory, numbers);
  });
}

}  // namespace pyaclnn::sim
