// SPDX-License-Identifier: MIT
#include "opapi/norm/norm.hpp"

#include <cstdarg>
#include <cstdio>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"

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

void tiling_that(const Plan& plan, bool holds, const char* format, ...) {
  if (holds) return;
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fail(ACLNN_ERR_INNER_TILING_ERROR, "%s: %s", plan.api(), text);
}

void require_kernel(const Plan& plan, bool exists) {
  if (!exists)
    fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: there is no kernel for %s", plan.api(),
         config().soc_name.c_str());
}

}  // namespace pyaclnn::sim
