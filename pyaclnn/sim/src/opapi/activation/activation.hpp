// What the gradients of activations have in common.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// float32 and float16, and bfloat16 where the chip has it.
inline DtypeSet activation_dtypes() { return DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16(); }

/// As above, and float64.
inline DtypeSet activation_dtypes_with_double() {
  return DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}.with_bf16();
}

/// Stages two inputs and the result of a kernel that takes and gives one type and one shape.
void stage_pair(Plan& plan, const TensorArgument& first, const TensorArgument& second,
                const TensorArgument& out);

}  // namespace pyaclnn::sim
