// Which formats each operator demands: the facts of CANN 9.0's sources, one row an operator.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {
namespace {

constexpr int kNCHW = ACL_FORMAT_NCHW;
constexpr int kNHWC = ACL_FORMAT_NHWC;
constexpr int kND = ACL_FORMAT_ND;
constexpr int kNCL = ACL_FORMAT_NCL;
constexpr int kNCDHW = ACL_FORMAT_NCDHW;
constexpr int kNDHWC = ACL_FORMAT_NDHWC;
constexpr int kDHWCN = 31;
constexpr int kHWCN = 16;

constexpr FormatSet kPrivate = kPrivateFormats;

/// What operators that CANN generates from their kernels take for ND.
constexpr FormatSet kLikeND{kND, kNCHW, kNHWC, kNCL, kNCDHW, kDHWCN};

bool is_before_950() { return !on_950(); }
bool has_older_kernels() { return !has_950_kernels(); }

constexpr FormatDemand alike(std::string_view tensors, bool (*where)() = nullptr) {
  return {FormatDemand::Kind::kAlike, tensors, {}, 0, where};
}
constexpr FormatDemand one_of(FormatSet formats, std::string_view tensors, std::size_t rank = 0,
                              bool (*where)() = nullptr) {
  return {FormatDemand::Kind::kOneOf, tensors, formats, rank, where};
}
constexpr FormatDemand none_of(FormatSet formats, std::string_view tensors,
                               bool (*where)() = nullptr) {
  return {FormatDemand::Kind::kNoneOf, tensors, formats, 0, where};
}

constexpr std::string_view kPadded = "gradOutput self gradInput";
constexpr std::string_view kPooled = "self gradOutput gradInput indices";

// By name, so that one is found by halves.
constexpr FormatRow kRows[] = {
    {"AdaptiveAvgPool2d",
     {alike("self out"), one_of({kNCL}, "self out", 3), one_of({kNCHW}, "self out", 4)}},
    {"AdaptiveAvgPool2dBackward", {alike("self gradOutput"), none_of(kPrivate, "gradOutput")}},
    {"AdaptiveAvgPool3d",
     {alike("self out"), none_of(kPrivate, "self", is_before_950),
      one_of({kNCDHW, kNCHW, kND}, "self", 0, on_950)}},
    {"AdaptiveAvgPool3dBackward", {alike("self gradOutput out"), none_of(kPrivate, "gradOutput")}},
    {"AdaptiveMaxPool2d", {none_of(kPrivate, "self")}},
    {"AdaptiveMaxPool2dBackward", {alike(kPooled), none_of(kPrivate, kPooled)}},
    {"AdaptiveMaxPool3d",
     {one_of({kNCDHW, kNCHW}, "self", 0, is_before_950),
      one_of({kNCDHW, kNCHW, kND}, "self", 0, on_950), alike("self outputOut")}},
    {"AdaptiveMaxPool3dBackward", {alike(kPooled), none_of(kPrivate, kPooled)}},
    {"AddLayerNorm", {one_of(kLikeND, "x1 x2 gamma beta yOut meanOut rstdOut xOut")}},
    {"AddLayerNormGrad", {one_of(kLikeND, "dy x1 x2 rstd mean gamma dxOut dgammaOut dbetaOut")}},
    {"AddRmsNormCast", {one_of(kLikeND, "x1 x2 gamma y1Out y2Out rstdOut xOut")}},
    {"ApplyTopKTopP", {one_of({kND}, "logits p k out")}},
    {"AvgPool2d", {one_of({kNCL}, "self out", 3), one_of({kNCHW}, "self out", 4)}},
    {"AvgPool2dBackward",
     {one_of({kNCHW, kNCL}, "gradOutput self gradInput"),
      one_of({kNCHW}, "gradOutput gradInput", 4)}},
    {"AvgPool3d", {alike("self out"), none_of(kPrivate, "self")}},
    {"AvgPool3dBackward", {alike("gradOutput output"), none_of(kPrivate, "gradOutput")}},
    {"BatchNorm",
     {alike("input output"), one_of({kNCDHW}, "input output", 5), none_of(kPrivate, "input"),
      none_of({kNHWC, kNDHWC}, "input", on_950)}},
    {"BatchNormBackward",
     {alike("gradOut input gradInput"), one_of({kNCDHW, kNDHWC}, "input gradInput", 5, on_950),
      none_of(kPrivate, "gradOut input")}},
    {"BatchNormElemt", {alike("input output"), none_of(kPrivate, "input")}},
    {"BatchNormElemtBackward", {none_of(kPrivate, "gradOut input gradInput")}},
    {"BatchNormGatherStatsWithCounts", {none_of(kPrivate, "input mean invstd counts")}},
    {"BatchNormReduce", {one_of({kNCHW}, "x"), one_of({kND}, "sum squareSum")}},
    {"BatchNormReduceBackward",
     {alike("gradOut input"),
      none_of(kPrivate, "gradOut input mean invstd sumDy sumDyXmu gradWeight gradBias")}},
    {"BatchNormStats", {none_of(kPrivate, "input mean invstd")}},
    {"BinaryCrossEntropyBackward", {alike("self target weightOptional")}},
    {"BinaryCrossEntropyWithLogitsBackward", {alike("self target out")}},
    {"BinaryCrossEntropyWithLogitsTargetBackward", {alike("self target gradTarget")}},
    {"Cat", {none_of(kPrivate, "tensors"), alike("tensors out")}},
    {"ChunkCat", {none_of(kPrivate, "tensors out")}},
    {"CircularPad2dBackward", {none_of(kPrivate, "gradOutput"), alike(kPadded)}},
    {"CircularPad3dBackward", {none_of(kPrivate, "gradOutput"), alike(kPadded)}},
    {"ConvDepthwise2d", {one_of({kNCHW}, "self weight out")}},
    {"ConvTbc", {one_of({kND, kNCL}, "self weight output"), one_of({kND}, "bias", 0, on_950)}},
    {"ConvTbcBackward",
     {one_of({kND, kNCL}, "self input weight"), one_of({kND}, "bias"),
      one_of({kND, kNCL}, "gradInput gradWeight"), one_of({kND}, "gradBias")}},
    {"Convolution",
     {one_of({kNCL}, "input weight output", 3), one_of({kNCHW}, "input weight output", 4),
      one_of({kNCDHW}, "input weight output", 5), one_of({kNCL, kNCHW, kNCDHW, kND}, "bias")}},
    {"ConvolutionBackward",
     {one_of({kND, kNCL}, "gradOutput input weight gradInput gradWeight", 3),
      one_of({kNCHW}, "gradOutput input weight gradInput gradWeight", 4),
      one_of({kNCDHW}, "gradOutput input weight gradInput gradWeight", 5),
      one_of({kND}, "gradBias")}},
    {"CrossEntropyLoss", {one_of(kLikeND, "input target lossOut logProbOut")}},
    {"CrossEntropyLossGrad", {one_of(kLikeND, "gradLoss logProb target out")}},
    {"DeepNorm", {one_of(kLikeND, "x gx beta gamma meanOut rstdOut yOut")}},
    {"DeepNormGrad", {one_of(kLikeND, "dy x gx gamma mean rstd dxOut dgxOut dbetaOut dgammaOut")}},
    {"Einsum", {one_of({kND}, "tensors")}},
    {"EmbeddingDenseBackward", {none_of(kPrivate, "grad indices out")}},
    {"ExpSegsum", {alike("self out"), one_of({kND}, "self")}},
    {"ExpSegsumBackward", {one_of({kND}, "gradOutput"), alike("gradOutput gradSelf gradInput")}},
    {"FastBatchNormBackward",
     {alike("gradOut input gradInput"), none_of(kPrivate, "gradOut input")}},
    {"FastGeluBackward", {alike("self gradInput gradOutput")}},
    {"FusedMatmul", {one_of({kND}, "x1 x2 y bias x3")}},
    {"Gemm", {one_of({kND}, "A B C out")}},
    {"GemmaRmsNorm", {one_of(kLikeND, "x gamma yOut rstdOut")}},
    {"GlobalAveragePool", {alike("self out"), one_of({kND, kNCHW, kNCDHW}, "self")}},
    {"GlobalMaxPool", {alike("self out"), one_of({kND, kNCHW, kNCDHW}, "self")}},
    {"GridSampler3D", {one_of({kNCDHW, kNDHWC, kND}, "input out")}},
    {"GroupNorm",
     {alike("self out"), none_of(kPrivate, "self"), none_of({kNHWC, kNDHWC, kHWCN}, "self")}},
    {"GroupNormSwish", {one_of(kLikeND, "x gamma beta yOut meanOut rstdOut")}},
    {"GroupNormSwishGrad", {one_of(kLikeND, "dy mean rstd x gamma beta dxOut dgammaOut dbetaOut")}},
    {"InnerScaledMaskedSoftmaxGradV2", {one_of(kLikeND, "gradOutput y out")}},
    {"InplaceAddRmsNorm", {one_of(kLikeND, "x1Ref x2Ref gamma rstdOut")}},
    {"InplaceRReluWithNoise", {alike("self noise")}},
    {"Iou", {one_of({kND}, "bBoxes gtBoxes overlap")}},
    {"KlDivTargetBackward", {none_of(kPrivate, "gradOutput self target gradTarget")}},
    {"LogitGrad", {one_of(kLikeND, "x dy out")}},
    {"MaxPool", {alike("self out"), none_of(kPrivate, "self")}},
    {"MaxPool2dWithIndices", {alike("self out"), none_of(kPrivate, "self")}},
    {"MaxPool2dWithIndicesBackward",
     {alike("self gradOutput gradInput"), none_of(kPrivate, kPooled)}},
    {"MaxPool2dWithMask", {alike("self out"), none_of(kPrivate, "self")}},
    {"MaxPool2dWithMaskBackward", {alike("self gradOutput gradInput"), none_of(kPrivate, kPooled)}},
    {"MaxPool3dWithArgmax",
     {alike("self out indices"), one_of({kNDHWC, kNCDHW, kNCHW, kND}, "self", 0, on_950)}},
    {"MaxPool3dWithArgmaxBackward",
     {alike("self gradOutput gradInput"), none_of(kPrivate, kPooled)}},
    {"QuantizedBatchNorm", {alike("input output"), none_of(kPrivate, "input")}},
    {"RReluWithNoise", {alike("out self noise")}},
    {"ReflectionPad1dBackward", {none_of(kPrivate, kPadded), alike(kPadded)}},
    {"ReflectionPad2dBackward", {none_of(kPrivate, kPadded), alike(kPadded)}},
    {"ReflectionPad3dBackward", {none_of(kPrivate, kPadded), alike(kPadded)}},
    {"ReplicationPad1dBackward", {none_of(kPrivate, kPadded), alike(kPadded)}},
    {"ReplicationPad2dBackward", {none_of(kPrivate, kPadded), alike(kPadded)}},
    {"ReplicationPad3dBackward", {none_of(kPrivate, kPadded), alike(kPadded)}},
    {"Resize", {alike("self out"), one_of({kNCHW, kNHWC}, "self")}},
    {"RmsNorm", {one_of(kLikeND, "x gamma yOut rstdOut")}},
    {"RmsNormGrad", {one_of(kLikeND, "dy x rstd gamma dxOut dgammaOut")}},
    {"RoiAlignV2Backward", {one_of({kNCHW}, "gradOutput gradInput"), one_of({kND}, "boxes")}},
    {"ScaledMaskedSoftmaxBackward",
     {none_of({ACL_FORMAT_FRACTAL_NZ}, "gradOutput y out mask", is_before_950)}},
    {"SignBitsPack", {one_of({kND}, "self out")}},
    {"SignBitsUnpack", {one_of({kND}, "self out")}},
    {"SwiGluGrad", {one_of(kLikeND, "yGrad x out")}},
    {"SyncBatchNormGatherStats",
     {none_of(kPrivate, "totalSum totalSquareSum sampleCount mean variance")}},
    {"UpsampleBicubic2d", {alike("self out"), one_of({kNCHW, kNHWC, kND}, "out")}},
    {"UpsampleBicubic2dAA", {one_of({kND, kNCHW}, "x out")}},
    {"UpsampleBicubic2dAAGrad", {alike("gradOutput out"), one_of({kND, kNCHW}, "gradOutput out")}},
    {"UpsampleBicubic2dBackward",
     {one_of({kND, kNCHW}, "gradOut", 0, has_older_kernels),
      one_of({kND, kNCHW, kNHWC}, "gradOut", 0, has_950_kernels),
      alike("gradOut gradInput", has_950_kernels)}},
    {"UpsampleBilinear2d", {alike("self out"), one_of({kNCHW, kNHWC}, "self")}},
    {"UpsampleBilinear2dAA", {alike("input out"), one_of({kND, kNCHW}, "input")}},
    {"UpsampleBilinear2dAABackward", {alike("gradOutput out"), one_of({kND, kNCHW}, "gradOutput")}},
    {"UpsampleBilinear2dBackward",
     {one_of({kNCHW, kNHWC}, "gradOut"), alike("gradOut out", has_950_kernels)}},
    {"UpsampleBilinear2dBackwardV2", {one_of({kNCHW, kNHWC}, "out gradOut")}},
    {"UpsampleNearest1d", {alike("self out"), one_of({kNCL}, "self")}},
    {"UpsampleNearest1dV2", {alike("self out"), one_of({kNCL}, "self")}},
    {"UpsampleNearest2d", {one_of({kNCHW, kNHWC}, "self"), alike("self out")}},
    {"UpsampleNearest2dBackward", {one_of({kNCHW, kNHWC}, "gradInput")}},
    {"UpsampleNearest2dV2", {one_of({kNCHW, kNHWC}, "self out")}},
    {"UpsampleNearestExact1dBackward", {alike("gradOutput out")}},
    {"UpsampleNearestExact2d", {alike("self out"), one_of({kNCHW, kNHWC, kND}, "self")}},
    {"UpsampleNearestExact2dBackward", {alike("gradOutput out"), none_of({kNHWC}, "gradOutput")}},
    {"UpsampleTrilinear3d", {one_of({kND, kNCDHW, kNDHWC}, "self")}},
    {"UpsampleTrilinear3dBackward", {one_of({kND, kNCDHW, kNDHWC}, "gradOut")}},
};

constexpr bool is_sorted() {
  for (std::size_t i = 1; i < std::size(kRows); ++i) {
    if (!(kRows[i - 1].name < kRows[i].name)) return false;
  }
  return true;
}
static_assert(is_sorted(), "the rows are looked up by halves");

}  // namespace

const FormatRow& format_row(std::string_view name) {
  const auto* row =
      std::lower_bound(std::begin(kRows), std::end(kRows), name,
                       [](const FormatRow& a, std::string_view b) { return a.name < b; });
  if (row == std::end(kRows) || row->name != name)
    fail(ACLNN_ERR_INNER, "%.*s has no row in the table of formats", int(name.size()), name.data());
  return *row;
}

}  // namespace pyaclnn::sim
