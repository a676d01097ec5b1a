// Operands whose kernel needs their elements behind one another.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// What the kernel reads of an operand: itself, or where it is strided a copy in the workspace,
/// which CANN makes as well. For kernels that give the elements another shape; others follow the
/// strides. Fails 561103 for a strided view that leaves its storage.
View contiguous_view(Plan& plan, const TensorArgument& tensor);

}  // namespace pyaclnn::sim
