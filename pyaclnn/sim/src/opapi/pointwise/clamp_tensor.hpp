// A clamp to tensors where one of the bounds is left out.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/pointwise/pointwise.hpp"

namespace pyaclnn::sim {

/// Plans out = formula(self, bound), behind the checks of self and out.
void clamp_to_one(const Check& check, Plan& plan, const PointwiseFormula& formula,
                  const TensorArgument& self, const TensorArgument& bound,
                  const TensorArgument& out);

}  // namespace pyaclnn::sim
