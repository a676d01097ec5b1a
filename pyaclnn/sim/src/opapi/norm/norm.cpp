// SPDX-License-Identifier: MIT
#include "opapi/norm/norm.hpp"

#include "opapi/common/elementwise.hpp"

namespace pyaclnn::sim {

DtypeSet norm_dtypes() { return DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16(); }

RowMajor row_major_input(Plan& plan, const TensorArgument& tensor) {
  return tensor.given() ? RowMajor(plan.reads(tensor)) : RowMajor();
}

RowMajor row_major_output(Plan& plan, const TensorArgument& tensor) {
  return tensor.given() ? RowMajor(plan.writes(tensor)) : RowMajor();
}

void stage_result(Plan& plan, aclDataType dtype, const TensorArgument& out) {
  plan.result(dtype, out.shape()).cast_to(out.dtype()).copy_to(out);
}

void launch_fill(Plan& plan, const TensorArgument& out, float value) {
  if (out.given() && !out.is_empty()) elementwise<float>(plan, out, [value] { return value; });
}

}  // namespace pyaclnn::sim
