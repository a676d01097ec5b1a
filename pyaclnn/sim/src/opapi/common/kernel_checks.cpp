// SPDX-License-Identifier: MIT
#include "opapi/common/kernel_checks.hpp"

#include <cstdarg>
#include <cstdio>
#include <string>

#include "aclnn/opdev/op_errno.h"
#include "core/config.hpp"
#include "core/status.hpp"

namespace pyaclnn::sim {
namespace {

std::string written(const char* format, va_list arguments) {
  char text[256];
  std::vsnprintf(text, sizeof text, format, arguments);
  return text;
}

}  // namespace

void check_kernel_exists(const Plan& plan, bool exists) {
  if (!exists)
    fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: there is no kernel for %s", plan.api(),
         chip().name);
}

void check_tiling(const Plan& plan, bool holds, const char* format, ...) {
  if (holds) return;
  va_list arguments;
  va_start(arguments, format);
  const std::string text = written(format, arguments);
  va_end(arguments);
  fail(ACLNN_ERR_INNER_TILING_ERROR, "%s: %s", plan.api(), text.c_str());
}

void check_inside(const Plan& plan, bool holds, const char* format, ...) {
  if (holds) return;
  va_list arguments;
  va_start(arguments, format);
  const std::string text = written(format, arguments);
  va_end(arguments);
  fail(ACLNN_ERR_INNER_NULLPTR, "%s: %s", plan.api(), text.c_str());
}

void fail_not_simulated(const Plan& plan, const char* what) {
  fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: %s is not simulated", plan.api(), what);
}

}  // namespace pyaclnn::sim
