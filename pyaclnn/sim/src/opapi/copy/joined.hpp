// Tensors that are joined in one of their dimensions.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

using Parts = std::vector<const TensorArgument*>;

/// The tensors of a list that count: one of shape (0,) joins any others, as with PyTorch. Refuses
/// null.
Parts joined_parts(const Check& check, const TensorListIn& tensors);
void check_joined_types(const Check& check, const DtypeSet& accepted, const Parts& parts);
/// The type all have in common; refuses where there is none, or complex128.
aclDataType joined_type(const Check& check, const Parts& parts);
void check_joined_formats(const Check& check, const Parts& parts, const TensorArgument& out);
std::size_t joined_axis(const Check& check, const Parts& parts, std::int64_t dim);
/// The shape of the result, all parts being alike but in `axis`.
Dims joined_shape(const Check& check, const Parts& parts, std::size_t axis);

/// Plans out = the parts, one behind the other along `axis`.
void join(const Check& check, Plan& plan, Parts parts, std::size_t axis, aclDataType dtype,
          const Dims& shape, const TensorArgument& out);

}  // namespace pyaclnn::sim
