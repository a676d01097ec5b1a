// Element-wise operators whose second operand belongs to some axes of the first: scales and shifts.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/check.hpp"
#include "opapi/pointwise/pointwise.hpp"

namespace pyaclnn::sim {
namespace formulas {

// affine.cpp
extern const PointwiseFormula square, xlog1py;

}  // namespace formulas

/// 561103 for two tensors that do not broadcast, and an output that has not their shape.
void check_broadcast_inside(const Plan& plan, const TensorArgument& a, const TensorArgument& b,
                            const TensorArgument& out);

/// Refuses a scale or shift that is neither [batch, hidden] nor [batch, 1, hidden].
void check_modulation(const Check& check, const TensorArgument& self, const TensorArgument& scale,
                      const TensorArgument& shift, const TensorArgument& out);

/// Plans out = self (1 + scale) + shift, with one scale and shift for each place of a sequence.
void modulate(Plan& plan, const TensorArgument& self, const TensorArgument& scale,
              const TensorArgument& shift, const TensorArgument& out);

/// Refuses a scale that has not the extents of x from `axis` on: `axes` of them where it is
/// `from_blob`, else as many as it has.
void check_scale(const Check& check, const TensorArgument& x, const TensorArgument& scale,
                 std::int64_t axis, std::int64_t axes, bool from_blob);

/// Refuses, where the work is divided, what the kernel of FatreluMul does not take.
void check_fatrelu(const Plan& plan, const TensorArgument& input, const TensorArgument& threshold);

/// Plans out = the first half where it is not below the threshold, else 0, times the second half.
void fatrelu_mul(Plan& plan, const TensorArgument& input, const TensorArgument& threshold,
                 const TensorArgument& out);

}  // namespace pyaclnn::sim
