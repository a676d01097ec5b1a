// Products of vectors element by element: outer products, and the cross product.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/pointwise/pointwise.hpp"

namespace pyaclnn::sim {

/// out = column * row, in `type`.
void outer_product(Plan& plan, const TensorArgument& column, const TensorArgument& row,
                   aclDataType type, const TensorArgument& out);

/// Refuses scalars that do not go with the type of an outer product that is added to something.
void check_outer_scalars(const Check& check, const ScalarIn& beta, const ScalarIn& alpha,
                         aclDataType type);

/// out = beta * added + alpha * column * row, in `type`; scalars that are not given are 1.
void add_outer_product(Plan& plan, const TensorArgument& added, const TensorArgument& column,
                       const TensorArgument& row, const ScalarIn& beta, const ScalarIn& alpha,
                       aclDataType type, const TensorArgument& out);

/// The axis of the result that a cross product runs along, which must have extent 3.
std::size_t cross_axis(const Check& check, const TensorArgument& a, const TensorArgument& b,
                       std::int64_t dim, const Dims& shape);

/// out = a x b along an axis of `out`.
void cross_product(Plan& plan, const TensorArgument& a, const TensorArgument& b, std::size_t axis,
                   const TensorArgument& out);

}  // namespace pyaclnn::sim
