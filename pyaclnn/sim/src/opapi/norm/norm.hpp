// What the normalisations have in common: element types and operands by position.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/common/row_major.hpp"

namespace pyaclnn::sim {

/// float32, float16, and bfloat16 where the chip has it.
DtypeSet norm_dtypes();

/// An operand for a kernel; of a tensor that was not given, one that is not given either.
RowMajor row_major_input(Plan& plan, const TensorArgument& tensor);
RowMajor row_major_output(Plan& plan, const TensorArgument& tensor);

/// The plan of an output that a result of `dtype` is cast to and copied into.
void stage_result(Plan& plan, aclDataType dtype, const TensorArgument& out);

/// Plans out = value, where the output is given and not empty.
void launch_fill(Plan& plan, const TensorArgument& out, float value);

/// Plans the inputs that are given: copied where strided, cast to float32.
template <class... Tensors>
void stage_as_float(Plan& plan, const Tensors&... tensors) {
  const auto stage = [&](const TensorArgument& tensor) {
    if (tensor.given()) plan.stage(tensor).contiguous().cast_to(ACL_FLOAT);
  };
  (stage(tensors), ...);
}

}  // namespace pyaclnn::sim
