// Gradients of padding the last axes of a tensor with copies of its own elements.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Which element a place of the padding copies: the mirrored one, the nearest, or the one that
/// follows when the tensor is repeated.
enum class PadMode { kReflect, kEdge, kCircular };

/// Checks and plans gradInput[x] = sum of gradOutput over the places that copy x, on the last
/// `axes` axes. `padding` has two numbers an axis, innermost axis first.
void plan_pad_grad(const Check& check, Plan& plan, const In& grad_output, const In& self,
                   const IntArrayIn& padding, const Out& grad_input, PadMode mode,
                   std::size_t axes);

}  // namespace pyaclnn::sim
