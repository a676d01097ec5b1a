// Gated linear units: one half of a tensor along an axis times a function of the other.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/pointwise/pointwise.hpp"

namespace pyaclnn::sim {

/// Refuses what is not half of `whole` along `axis`.
void check_half(const Check& check, const TensorArgument& part, const TensorArgument& whole,
                std::size_t axis);

/// The axis to halve for the kernels of SwiGlu and its gradient, which find errors themselves.
std::size_t swi_glu_axis(const Plan& plan, const TensorArgument& x, std::int64_t dim);

/// Refuses, where the work is divided, an output that is not half of x.
void check_half_inside(const Plan& plan, const TensorArgument& out, const TensorArgument& x,
                       std::size_t axis);

/// Plans out = formula(first half, second half), or the other way round.
void gated(Plan& plan, const PointwiseFormula& formula, const TensorArgument& whole,
           std::size_t axis, bool swapped, const TensorArgument& out);

/// Plans out = formula(one half).
void half_through(Plan& plan, const PointwiseFormula& formula, const TensorArgument& whole,
                  std::size_t axis, bool upper, const TensorArgument& out);

/// A parametric rectifier: one slope for all elements, or one for each channel, dimension 1.
void prelu(Plan& plan, const TensorArgument& self, const TensorArgument& weight,
           aclDataType compute, const TensorArgument& out);

}  // namespace pyaclnn::sim
