// Plans of how cores share the work of an operator. Their consumers here share it among threads and
// read none of it; where CANN documents a plan, it gives all work to the first core, elsewhere it
// is 0.
// SPDX-License-Identifier: MIT
#include <optional>
#include <string>
#include <vector>

#include "core/status.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/integers.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "parameters/LightningIndexerV2Metadata.hpp"
#include "parameters/SparseFlashMlaMetadata.hpp"
#include "parameters/SparseLightningIndexerKLLossGradMetadata.hpp"

namespace pyaclnn::sim {
namespace {

/// A null layout is none.
bool is_one_of(const Text& layout, std::initializer_list<const char*> allowed) {
  for (const char* each : allowed)
    if (layout.given() && layout.text == each) return true;
  return false;
}

/// CANN takes tensors without elements for none.
bool is_there(const TensorArgument& tensor) {
  return tensor.given() && tensor.rank() > 0 && tensor.shape()[0] > 0;
}

void check_numbers(const Check& check, std::initializer_list<const TensorArgument*> tensors) {
  for (const TensorArgument* tensor : tensors) {
    if (!is_there(*tensor)) continue;
    check.that(tensor->rank() == 1, "%s has %zu dimensions, it must have one", tensor->name(),
               tensor->rank());
    check.dtype_in(DtypeSet{ACL_INT32}, *tensor);
  }
}

/// The number of sequences: of what they use, of their running sums, or as it is given.
std::int64_t batch_of(const TensorArgument& used, const TensorArgument& sums, bool is_packed,
                      std::int64_t given) {
  if (is_there(used)) return used.shape()[0];
  if (is_there(sums)) return sums.shape()[0] - 1;
  return is_packed ? 0 : given;
}

void check_plan(Plan& plan, const TensorArgument& out, std::int64_t size) {
  check_tiling_inside(plan, out.given() && out.dtype() == ACL_INT32 && out.shape() == Dims{size},
                      "the plan must be %lld numbers of int32", ll(size));
}

/// What CANN's kernel refuses shows where the stream is waited for.
void demand(bool holds, const char* what) {
  if (!holds) fail(kRtAicpuException, "the plan of an operator: %s", what);
}

}  // namespace

void lightning_indexer_v2_metadata(const Check& check, Plan& plan,
                                   const LightningIndexerV2MetadataParameters& given) {
  for (const std::int64_t count : {given.numHeadsQ, given.numHeadsK, given.topk, given.batchSize,
                                   given.maxSeqlenQ, given.maxSeqlenK})
    check.that(count >= 0, "a number of heads, keys, sequences or tokens is %lld", ll(count));
  check.that(given.maskMode == 0 || given.maskMode == 3, "maskMode is %lld, it must be 0 or 3",
             ll(given.maskMode));
  check.that(given.cmpRatio >= 1 && given.cmpRatio <= 128, "cmpRatio is %lld, it must be 1 to 128",
             ll(given.cmpRatio));
  const Text& rows = given.layoutQOptional;
  const Text& columns = given.layoutKOptional;
  check.that(is_one_of(rows, {"TND", "BSND"}), "layoutQ must be TND or BSND");
  check.that(is_one_of(columns, {"TND", "BSND", "PA_BBND"}),
             "layoutK must be TND, BSND or PA_BBND");
  check.that(columns.text == "PA_BBND" || rows.text == columns.text, "layoutQ is %s, layoutK is %s",
             rows.text.c_str(), columns.text.c_str());
  const bool has_packed_rows = rows.text == "TND";
  const bool has_packed_columns = columns.text == "TND";
  const TensorArgument& residuals = given.cmpResidualKOptional;
  check.that(!has_packed_rows || is_there(given.cuSeqlensQOptional), "TND needs cuSeqlensQ");
  check.that(!has_packed_columns || is_there(given.cuSeqlensKOptional), "TND needs cuSeqlensK");
  check.that(given.cmpRatio == 1 || given.maskMode != 3 || is_there(residuals),
             "cmpResidualK is missing, which maskMode 3 needs with cmpRatio %lld",
             ll(given.cmpRatio));
  check_numbers(check, {&given.cuSeqlensQOptional, &given.cuSeqlensKOptional,
                        &given.sequsedQOptional, &given.sequsedKOptional, &residuals});
  check.that(!is_there(residuals) || residuals.shape()[0] == given.batchSize,
             "cmpResidualK has not batchSize numbers, which are %lld", ll(given.batchSize));
  const std::int64_t row_batch =
      batch_of(given.sequsedQOptional, given.cuSeqlensQOptional, has_packed_rows, given.batchSize);
  const std::int64_t column_batch = batch_of(given.sequsedKOptional, given.cuSeqlensKOptional,
                                             has_packed_columns, given.batchSize);
  check.that(row_batch == column_batch, "there are %lld sequences of queries, %lld of keys",
             ll(row_batch), ll(column_batch));
  needs_kernel(plan, on_a2_or_a3() || on_950());
  constexpr std::int64_t kSize = 1024;
  check_plan(plan, given.metaData, kSize);
  plan.writes(given.metaData);
  launch_zero(plan, given.metaData);
}

void sparse_flash_mla_metadata(const Check& check, Plan& plan,
                               const SparseFlashMlaMetadataParameters& given) {
  for (const std::int64_t count :
       {given.batchSize, given.maxSeqlenQ, given.maxSeqlenOriKv, given.maxSeqlenCmpKv})
    check.that(count >= 0, "a number of sequences or tokens is %lld", ll(count));
  const std::int64_t heads = given.numHeadsQ;
  check.that(heads >= 1 && heads <= 128 && (on_950() || (heads & (heads - 1)) == 0),
             "numHeadsQ is %lld, it must be a power of 2 up to 128", ll(heads));
  check.that(given.numHeadsKv == 1, "numHeadsKv is %lld, it must be 1", ll(given.numHeadsKv));
  check.that(given.headDim == 512, "headDim is %lld, it must be 512", ll(given.headDim));
  const std::int64_t mode = given.oriMaskMode;
  if (given.hasOriKv) {
    check.that(given.oriTopk >= 0 && (on_950() || given.oriTopk == 0), "oriTopk is %lld",
               ll(given.oriTopk));
    check.that(mode == 4 || (on_950() && (mode == 0 || mode == 3)), "oriMaskMode is %lld",
               ll(mode));
    const bool fits = on_950() ? given.oriWinLeft >= -1 && given.oriWinRight >= -1
                               : given.oriWinLeft == 127 && given.oriWinRight == 0;
    check.that(fits, "the window is %lld and %lld", ll(given.oriWinLeft), ll(given.oriWinRight));
  }
  const std::int64_t chosen = given.cmpTopk;
  std::int64_t ratio = 1;
  if (given.hasCmpKv) {
    check.that(chosen >= 0 && (on_950() || chosen == 0 || chosen == 512 || chosen == 1024),
               "cmpTopk is %lld", ll(chosen));
    check.that(given.cmpMaskMode == 3 || (on_950() && given.cmpMaskMode == 0),
               "cmpMaskMode is %lld", ll(given.cmpMaskMode));
    ratio = chosen > 0 ? 4 : 128;
  }
  const bool has_any_ratio = !given.hasCmpKv || (given.cmpRatio >= 1 && given.cmpRatio <= 128);
  check.that(on_950() ? has_any_ratio : given.cmpRatio == ratio, "cmpRatio is %lld",
             ll(given.cmpRatio));
  const Text& rows = given.layoutQOptional;
  const Text& latent = given.layoutKvOptional;
  check.that(is_one_of(rows, {"TND", "BSND"}), "layoutQ must be TND or BSND");
  check.that(is_one_of(latent, {"TND", "BSND", "PA_BBND"}),
             "layoutKv must be TND, BSND or PA_BBND");
  const bool has_pages = latent.text == "PA_BBND";
  check.that(has_pages || rows.text == latent.text, "layoutQ is %s, layoutKv is %s",
             rows.text.c_str(), latent.text.c_str());
  const bool is_packed = latent.text == "TND";
  check.that(rows.text != "TND" || is_there(given.cuSeqlensQOptional), "TND needs cuSeqlensQ");
  if (given.hasOriKv) {
    check.that(!is_packed || is_there(given.cuSeqlensOriKvOptional), "TND needs cuSeqlensOriKv");
    check.that(!has_pages || is_there(given.sequsedOriKvOptional), "PA_BBND needs sequsedOriKv");
    check.that(given.oriTopk == 0 || mode != 0 || is_there(given.oriTopkLengthOptional),
               "oriMaskMode 0 needs oriTopkLength");
  }
  if (given.hasCmpKv) {
    check.that(!is_packed || is_there(given.cuSeqlensCmpKvOptional), "TND needs cuSeqlensCmpKv");
    check.that(!has_pages || is_there(given.sequsedCmpKvOptional), "PA_BBND needs sequsedCmpKv");
    check.that(
        given.cmpRatio == 1 || given.cmpMaskMode != 3 || is_there(given.cmpResidualKvOptional),
        "cmpMaskMode 3 needs cmpResidualKv");
    check.that(chosen == 0 || given.cmpMaskMode != 0 || is_there(given.cmpTopkLengthOptional),
               "cmpMaskMode 0 needs cmpTopkLength");
  }
  check.that(is_there(given.metaData), "metaData is missing");
  check.that(on_950() ||
                 (!is_there(given.oriTopkLengthOptional) && !is_there(given.cmpTopkLengthOptional)),
             "oriTopkLength and cmpTopkLength must be empty");
  check_numbers(check, {&given.cuSeqlensQOptional, &given.sequsedQOptional});
  if (given.hasOriKv)
    check_numbers(check, {&given.cuSeqlensOriKvOptional, &given.sequsedOriKvOptional});
  if (given.hasCmpKv)
    check_numbers(check, {&given.cuSeqlensCmpKvOptional, &given.sequsedCmpKvOptional,
                          &given.cmpResidualKvOptional});
  constexpr std::int64_t kSize = 1024;
  check.that(given.metaData.shape() == Dims{kSize}, "metaData must have 1024 numbers");
  check.dtype_in(DtypeSet{ACL_INT32}, given.metaData);
  const auto batch = [&](const TensorArgument& used, const TensorArgument& sums, bool has_sums) {
    if (is_there(used)) return used.shape()[0];
    return has_sums && is_there(sums) ? sums.shape()[0] - 1 : given.batchSize;
  };
  const std::int64_t all =
      batch(given.sequsedQOptional, given.cuSeqlensQOptional, rows.text == "TND");
  check.that(!given.hasOriKv ||
                 all == batch(given.sequsedOriKvOptional, given.cuSeqlensOriKvOptional, is_packed),
             "there are %lld sequences of queries, not of oriKv", ll(all));
  check.that(!given.hasCmpKv ||
                 all == batch(given.sequsedCmpKvOptional, given.cuSeqlensCmpKvOptional, is_packed),
             "there are %lld sequences of queries, not of cmpKv", ll(all));
  const TensorArgument& residuals = given.cmpResidualKvOptional;
  check.that(!given.hasCmpKv || !is_there(residuals) || residuals.shape()[0] == all,
             "cmpResidualKv has not %lld numbers", ll(all));
  needs_kernel(plan, on_a2_or_a3() || on_950());
  plan.writes(given.metaData);
  launch_zero(plan, given.metaData);
}

void sparse_lightning_indexer_kl_loss_grad_metadata(
    const Check&, Plan& plan, const SparseLightningIndexerKLLossGradMetadataParameters& given) {
  needs_kernel(plan, on_a2_or_a3());
  constexpr std::int64_t kSize = 64;
  check_plan(plan, given.metadata, kSize);
  const bool is_known =
      is_one_of(given.layoutQ, {"TND", "BSND"}) && is_one_of(given.layoutK, {"TND", "BSND"});
  const bool is_packed = is_known && given.layoutQ.text == "TND";
  const bool has_counts = given.numHeadsQ > 0 && given.numHeadsK > 0 && given.headDim > 0 &&
                          given.numHeadsQ % given.numHeadsK == 0 && given.topk > 0;
  const bool has_modes =
      (given.maskMode == 0 || given.maskMode == 3) && given.cmpRatio >= 0 && given.cmpRatio <= 128;
  const TensorArgument& sums = given.cuSeqLensQOptional;
  const bool is_described =
      is_packed ? is_there(sums) && is_there(given.cuSeqLensKOptional) && sums.rank() == 1 &&
                      sums.dtype() == ACL_INT32
                : given.batchSize > 0 && given.maxSeqLenQ > 0 && given.maxSeqLenK > 0;
  std::optional<View> read;
  if (is_packed && is_described) read = plan.reads(sums);
  std::int64_t rows = 0;
  const bool is_small =
      is_packed || !__builtin_mul_overflow(given.batchSize, given.maxSeqLenQ, &rows);
  plan.launch([=, to = BatchedView(plan.writes(given.metadata), 1)](const KernelMemory& memory) {
    demand(is_known && has_counts && has_modes && is_described && is_small,
           "a layout, a count or a mode is not one that it takes");
    std::int64_t all = rows;
    if (read.has_value()) {
      const std::vector<std::int64_t> ends = integers_of(*read, memory);
      all = ends.empty() ? 0 : ends.back();
    }
    // One core, all rows, and their number; from 8 on where the rows of each core begin.
    constexpr std::size_t kFirst = 8;
    constexpr std::size_t kCores = 25;
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(kSize));
    numbers[0] = 1;
    numbers[1] = numbers[2] = all;
    for (std::size_t core = 1; core < kCores; ++core) numbers[kFirst + core] = all;
    to.store(storer<std::int64_t>(ACL_INT32, Rounding::kTruncate), numbers.data(),
             sizeof(std::int64_t), to.base(memory));
  });
}

}  // namespace pyaclnn::sim
