// SPDX-License-Identifier: MIT
#include "opapi/common/kernel_checks.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>

#include "aclnn/opdev/op_errno.h"
#include "core/config.hpp"
#include "core/status.hpp"
#include "opapi/common/kernels_first.hpp"

namespace pyaclnn::sim {
namespace {

std::string written(const char* format, va_list arguments) {
  char text[256];
  std::vsnprintf(text, sizeof text, format, arguments);
  return text;
}

}  // namespace

void check_kernel_exists(const Plan& plan, bool exists) {
  if (!exists) fail_without_kernel(plan);
}

void needs_kernel(Plan& plan, bool exists) {
  if (exists) return;
  plan.lacks_kernel();
  const char* const* const end = kKernelsFirst + kKernelsFirstCount;
  const auto before = [](const char* a, const char* b) { return std::strcmp(a, b) < 0; };
  if (std::binary_search(kKernelsFirst, end, plan.api(), before)) plan.find_kernel();
}

Check kernel_types(const Plan& plan) {
  plan.find_kernel();
  return Check(plan.api(), ACLNN_ERR_INNER_FIND_KERNEL_ERROR);
}

void check_tiling(const Plan& plan, bool holds, const char* format, ...) {
  if (holds) return;
  plan.find_kernel();
  va_list arguments;
  va_start(arguments, format);
  const std::string text = written(format, arguments);
  va_end(arguments);
  fail(ACLNN_ERR_INNER_TILING_ERROR, "%s: %s", plan.api(), text.c_str());
}

void check_tiling_inside(const Plan& plan, bool holds, const char* format, ...) {
  if (holds) return;
  plan.find_kernel();
  va_list arguments;
  va_start(arguments, format);
  const std::string text = written(format, arguments);
  va_end(arguments);
  fail(ACLNN_ERR_INNER_NULLPTR, "%s: no kernel takes this: %s", plan.api(), text.c_str());
}

void check_inside(const Plan& plan, bool holds, const char* format, ...) {
  if (holds) return;
  plan.find_kernel();
  va_list arguments;
  va_start(arguments, format);
  const std::string text = written(format, arguments);
  va_end(arguments);
  fail(ACLNN_ERR_INNER_NULLPTR, "%s: %s", plan.api(), text.c_str());
}

void check_kept_format(const Plan& plan, const TensorArgument& from, const TensorArgument& out,
                       bool as_null) {
  const aclFormat format = from.meta().format;
  if (format == ACL_FORMAT_ND || format == out.meta().format) return;
  plan.find_kernel();
  fail(as_null ? ACLNN_ERR_PARAM_NULLPTR : ACLNN_ERR_INNER_NULLPTR,
       "%s: the result has format %d as %s has, and cannot be copied to %s of format %d",
       plan.api(), int(format), from.name(), out.name(), int(out.meta().format));
}

void fail_not_simulated(const Plan& plan, const char* what) {
  plan.find_kernel();
  fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: %s is not simulated", plan.api(), what);
}

}  // namespace pyaclnn::sim
