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

/// Refuses padding that is not two numbers for each of the last `axes` axes, innermost axis first,
/// or that runs out of elements to copy.
void check_padding(const Check& check, const TensorArgument& self, const IntArrayIn& padding,
                   PadMode mode, std::size_t axes);

/// In two dimensions bfloat16 has a kernel for small padding only, or none of the height.
void check_bf16_padding(const Check& check, const TensorArgument& self, const IntArrayIn& padding);

/// Refuses a gradient whose padded axes are not those of self with the padding; others are noticed
/// where the result is copied.
void check_padded(const Check& check, const TensorArgument& grad_output, const TensorArgument& self,
                  const IntArrayIn& padding);

/// Only the first axis may be empty, and without a batch some operators do not even take that.
void check_empty_pad(const Check& check, const TensorArgument& self, PadMode mode,
                     std::size_t axes);

/// gradInput[x] = sum of gradOutput over the places of the padded tensor that copy x.
void pad_gradient(Plan& plan, const TensorArgument& grad_output, const TensorArgument& self,
                  const IntArrayIn& padding, const TensorArgument& grad_input, PadMode mode);

}  // namespace pyaclnn::sim
