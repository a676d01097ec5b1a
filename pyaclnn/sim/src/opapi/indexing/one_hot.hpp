// One of two numbers for every class.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// aclnnOneHot: the shape of self with the classes at `axis`, of which -1 is behind all others.
std::size_t check_one_hot(const Check& check, const TensorArgument& self, std::int64_t classes,
                          std::int64_t axis, const TensorArgument& out);
/// The first element of `on` where self has the number of the class, elsewhere that of `off`.
void one_hot(Plan& plan, const TensorArgument& self, const TensorArgument& on,
             const TensorArgument& off, std::size_t axis, const TensorArgument& out);

}  // namespace pyaclnn::sim
