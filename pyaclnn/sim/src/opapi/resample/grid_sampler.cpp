// SPDX-License-Identifier: MIT
#include "core/release.hpp"
#include "opapi/resample/grid_sampler_kernel.hpp"

#include "opapi/common/chip_family.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kMostTransposedChannels = 2048;

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
bool transposes_2d(GridPadding padding) {
  if (!behaves(Behaviour::kSamplesInPlace))
    return chip().has_bf16() && padding != GridPadding::kReflection;
  return chip().soc != Soc::kAscend910 && !has_950_kernels();
}

}  // namespace

bool wants(const BoolArrayIn& mask, std::size_t output) {
  return mask.given() && output < mask.values().size() && mask.values()[output] != 0;
}

void check_grid_gradient(const Check& check, const TensorArgument& grad_output,
                         const TensorArgument& input, const TensorArgument& grid,
                         bool channels_last) {
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

void grid_sampler2d_gradient(Plan& plan, const GridOperands& operands, GridSampling sampling) {
  const aclDataType dtype = operands.input.dtype();
  const bool casts = dtype == ACL_FLOAT16 && chip().soc == Soc::kAscend910;
  const bool transposes = transposes_2d(sampling.padding) && dtype != ACL_DOUBLE &&
                          operands.input.shape()[1] <= kMostTransposedChannels;
  launch_staged(plan, operands, sampling, {casts ? ACL_FLOAT : dtype, transposes});
}

void grid_sampler3d_gradient(Plan& plan, const GridOperands& operands, GridSampling sampling) {
  const aclDataType dtype = operands.input.dtype();
  const bool casts = dtype != ACL_DOUBLE && !has_950_kernels();
  const bool transposes = chip().soc != Soc::kAscend910 && casts && !operands.channels_last &&
                          operands.input.shape()[1] <= kMostTransposedChannels;
  launch_staged(plan, operands, sampling, {casts ? ACL_FLOAT : dtype, transposes});
}

}  // namespace pyaclnn::sim
