// Gradients of sampling an image or volume at the points of a grid.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/resample/grid_taps.hpp"

namespace pyaclnn::sim {

/// The operands: input (N, C, ...), gradient (N, C, points...), grid (N, points..., axes).
struct GridOperands {
  const TensorArgument& grad_output;
  const TensorArgument& input;
  const TensorArgument& grid;
  const TensorArgument* input_grad;  // null: not wanted
  const TensorArgument* grid_grad;   // null: not wanted
  bool channels_last = false;        // of all but the grids
};

/// A view of [N, ..., C] as one of [N, C, ...].
View channels_second(const View& view);

/// Plans inputGrad[i] = sum of weight(i, p) * gradOutput[p] and gridGrad[p] = the sum over channels
/// and elements of gradOutput[p] * input[i] * d weight(i, p) / d grid[p].
void launch_grid_sampler_grad(Plan& plan, const GridOperands& operands, GridSampling sampling);

/// The same with what CANN does around its kernels for images and for volumes.
void grid_sampler2d_gradient(Plan& plan, const GridOperands& operands, GridSampling sampling);
void grid_sampler3d_gradient(Plan& plan, const GridOperands& operands, GridSampling sampling);

/// Whether the mask has true for this output; an output that it does not reach is not wanted.
bool wants(const BoolArrayIn& mask, std::size_t output);

/// The output, or null where it is not wanted.
inline const TensorArgument* wanted(const BoolArrayIn& mask, std::size_t output,
                                    const TensorArgument& out) {
  return wants(mask, output) ? &out : nullptr;
}

/// How a grid of these attributes is sampled.
inline GridSampling grid_sampling(std::int64_t interpolation, std::int64_t padding, bool align) {
  GridSampling sampling;
  sampling.interpolation = static_cast<Interpolation>(interpolation);
  sampling.padding = static_cast<GridPadding>(padding);
  sampling.align_corners = align;
  return sampling;
}

/// Refuses where batch, channels or points of the operands differ.
void check_grid_gradient(const Check& check, const TensorArgument& grad_output,
                         const TensorArgument& input, const TensorArgument& grid,
                         bool channels_last);

}  // namespace pyaclnn::sim
