// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_grid_sampler2d_backward.h"
#include "aclnnop/aclnn_grid_sampler3d_backward.h"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/resample/grid_sampler_kernel.hpp"

using namespace pyaclnn::sim;

namespace {

constexpr std::int64_t kMostTransposedChannels = 2048;

bool is_wanted(const BoolArrayIn& mask, std::size_t i) {
  return mask.given() && i < mask.values().size() && mask.values()[i] != 0;
}

void check_rank(const Check& check, const TensorArgument& tensor, std::size_t rank) {
  check.that(tensor.rank() == rank, "%s has %zu dimensions, it must have %zu", tensor.name(),
             tensor.rank(), rank);
}

void check_modes(const Check& check, std::int64_t interpolation, std::int64_t padding) {
  check.that(interpolation == 0 || interpolation == 1,
             "interpolationMode is %lld, it must be 0 (bilinear) or 1 (nearest)",
             static_cast<long long>(interpolation));
  check.that(padding >= 0 && padding <= 2,
             "paddingMode is %lld, it must be 0 (zeros), 1 (border) or 2 (reflection)",
             static_cast<long long>(padding));
}

/// Refuses where batch, channels or points of the operands differ.
void check_shapes(const Check& check, const TensorArgument& grad_output,
                  const TensorArgument& input, const TensorArgument& grid, bool channels_last) {
  const std::size_t axes = input.rank() - 2;
  const std::size_t channel = channels_last ? axes + 1 : 1;
  const std::size_t first_axis = channels_last ? 1 : 2;
  const Dims& points = grid.shape();
  check.that(input.shape()[0] == points[0] && input.shape()[0] == grad_output.shape()[0],
             "input has shape %s, grid %s, gradOutput %s: they differ in the batch",
             input.shape().text().c_str(), points.text().c_str(),
             grad_output.shape().text().c_str());
  check.that(input.shape()[channel] == grad_output.shape()[channel],
             "input has shape %s, gradOutput %s: they differ in the channels",
             input.shape().text().c_str(), grad_output.shape().text().c_str());
  for (std::size_t i = 0; i < axes; ++i) {
    check.that(axes == 3 || input.shape()[first_axis + i] != 0, "input has shape %s: no elements",
               input.shape().text().c_str());
  }
  for (std::size_t i = 0; i < axes; ++i)
    check.that(points[1 + i] == grad_output.shape()[first_axis + i],
               "grid has shape %s, gradOutput %s: they differ in their points",
               points.text().c_str(), grad_output.shape().text().c_str());
  check.that(points[axes + 1] == std::int64_t(axes),
             "grid has shape %s, its last extent must be %zu", points.text().c_str(), axes);
}

GridSampling sampling_of(std::int64_t interpolation, std::int64_t padding, bool align_corners) {
  GridSampling result;
  result.nearest = interpolation == 1;
  result.padding = static_cast<GridPadding>(padding);
  result.align_corners = align_corners;
  return result;
}

/// The casts and transpositions that CANN makes room for.
struct Staging {
  aclDataType dtype;
  bool transposes;
};

void launch_staged(Plan& plan, const GridOperands& operands, const GridSampling& sampling,
                   const Staging& staging) {
  for (const TensorArgument* tensor : {&operands.grid, &operands.grad_output, &operands.input}) {
    plan.stage(*tensor).contiguous().cast_to(staging.dtype);
    if (staging.transposes && tensor != &operands.grid)
      plan.reserve(tensor->elements(), staging.dtype);
  }
  // Both results are computed, whichever are wanted.
  plan.reserve(operands.input.elements(), staging.dtype);
  plan.reserve(operands.grid.elements(), staging.dtype);
  for (const TensorArgument* out : {operands.input_grad, operands.grid_grad}) {
    if (out == nullptr) continue;
    plan.result(staging.dtype, out->shape()).cast_to(out->dtype()).copy_to(*out);
  }
  launch_grid_sampler_grad(plan, operands, sampling);
}

/// Whether the kernel of this chip and release wants channels last.
bool transposes_2d(std::int64_t padding) {
  if (config().cann == CannVersion::k8_1) return config().has_bf16() && padding != 2;
  return config().soc != Soc::kAscend910 && !has_950_kernels();
}

}  // namespace

// inputGrad: gradOutput spread over the elements each point samples; gridGrad: by the coordinates.
OPERATOR(GridSampler2DBackward, (In, gradOutput), (In, input), (In, grid), (Int, interpolationMode),
         (Int, paddingMode), (Flag, alignCorners), (BoolArrayIn, outputMask), (Out, inputGrad),
         (Out, gridGrad)) {
  if (!is_wanted(outputMask, 0) && !is_wanted(outputMask, 1)) return;
  check.not_null(gradOutput, input, grid, inputGrad, gridGrad);
  check.same_dtype(input, gradOutput, grid, inputGrad, gridGrad);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}.with_bf16(), input);
  check_modes(check, interpolationMode, paddingMode);
  check_rank(check, input, 4);
  check_rank(check, grid, 4);
  check_rank(check, gradOutput, 4);
  check_shapes(check, gradOutput, input, grid, false);
  check.same_shape(input, inputGrad);
  check.same_shape(grid, gridGrad);
  if (gradOutput.is_empty() || input.is_empty() || grid.is_empty()) return;

  const GridOperands operands{gradOutput,
                              input,
                              grid,
                              is_wanted(outputMask, 0) ? &inputGrad : nullptr,
                              is_wanted(outputMask, 1) ? &gridGrad : nullptr,
                              false};
  const bool casts = input.dtype() == ACL_FLOAT16 && config().soc == Soc::kAscend910;
  const bool transposes = transposes_2d(paddingMode) && input.dtype() != ACL_DOUBLE &&
                          input.shape()[1] <= kMostTransposedChannels;
  launch_staged(plan, operands, sampling_of(interpolationMode, paddingMode, alignCorners),
                {casts ? ACL_FLOAT : input.dtype(), transposes});
}

// inputGrad: gradOutput spread over the elements each point samples; gridGrad: by the coordinates.
OPERATOR(GridSampler3DBackward, (In, gradOutput), (In, input), (In, grid), (Int, interpolationMode),
         (Int, paddingMode), (Flag, alignCorners), (BoolArrayIn, outputMask), (Out, inputGrad),
         (Out, gridGrad)) {
  if (!is_wanted(outputMask, 0) && !is_wanted(outputMask, 1)) return;
  check.not_null(gradOutput, input, grid, inputGrad, gridGrad);
  check.same_dtype(input, gradOutput, grid, inputGrad, gridGrad);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}.with_bf16(), input);
  check_modes(check, interpolationMode, paddingMode);
  check_rank(check, input, 5);
  check_rank(check, grid, 5);
  check_rank(check, gradOutput, 5);
  const bool channels_last = input.meta().format == ACL_FORMAT_NDHWC;
  check_shapes(check, gradOutput, input, grid, channels_last);
  check.same_shape(input, inputGrad);
  check.same_shape(grid, gridGrad);
  if (gradOutput.is_empty() || input.is_empty() || grid.is_empty()) return;

  const GridOperands operands{gradOutput,
                              input,
                              grid,
                              is_wanted(outputMask, 0) ? &inputGrad : nullptr,
                              is_wanted(outputMask, 1) ? &gridGrad : nullptr,
                              channels_last};
  const bool is_double = input.dtype() == ACL_DOUBLE;
  const bool transposes = config().soc != Soc::kAscend910 && !has_950_kernels() && !is_double &&
                          !channels_last && input.shape()[1] <= kMostTransposedChannels;
  const bool casts = !is_double && !has_950_kernels();
  launch_staged(plan, operands, sampling_of(interpolationMode, paddingMode, alignCorners),
                {casts ? ACL_FLOAT : input.dtype(), transposes});
}
