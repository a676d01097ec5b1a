// The norms of vectors: sums of powers, extrema and counts of absolute values over any axes.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/common/reduction_walk.hpp"

namespace pyaclnn::sim {

/// What CANN takes an order for: the largest and smallest int32 stand for the infinities.
double norm_order(double order);

/// Plans out = (sum of |in|^order)^(1/order) over axes, in double precision; for an order of
/// infinity the largest, of minus infinity the smallest absolute value, of 0 how many are not 0.
void launch_norm(Plan& plan, double order, const View& out, const View& in, AxisMask axes);

/// What is computed in: a type of the operand's own, or float32.
inline aclDataType own_or_float(bool own, aclDataType dtype) { return own ? dtype : ACL_FLOAT; }

/// The whole of LinalgVectorNorm's second half, where neither tensor is empty: CANN computes in
/// `compute`.
void vector_norm(Plan& plan, double order, aclDataType compute, const TensorArgument& self,
                 const TensorArgument& out, AxisMask axes, bool keep);

/// Plans out = self with each slice across `axis` scaled to a norm of `max_norm`, where it is more.
void renorm(Plan& plan, const TensorArgument& self, const ScalarIn& p, std::size_t axis,
            const ScalarIn& max_norm, const TensorArgument& out);

}  // namespace pyaclnn::sim
