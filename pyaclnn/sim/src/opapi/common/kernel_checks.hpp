// Refusals behind an operator's own checks: where CANN looks for a kernel and divides its work.
// Operators that CANN generates from their kernels find wrong shapes there and nowhere else.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// 561003 on a chip that CANN has no kernel for.
void check_kernel_exists(const Plan& plan, bool exists);

/// The same behind all checks of arguments: CANN looks for kernels when it has passed them.
void needs_kernel(Plan& plan, bool exists);

/// Checks of what no operator looks at, so that the search for a kernel ends with it: 561003.
Check kernel_types(const Plan& plan);

/// 561002 where the kernel's work cannot be divided.
void check_tiling(const Plan& plan, bool holds, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/// The same within an operator that answers 561103 wherever its kernel refuses.
void check_tiling_inside(const Plan& plan, bool holds, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/// 561103 where one of the steps that CANN's operator is made of refuses what it is given.
void check_inside(const Plan& plan, bool holds, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/// Fails where the result has the format of `from`, and the output another: only ND is copied to
/// any. 561103, or 161001 of operators that answer so for whatever their steps give as null.
void check_kept_format(const Plan& plan, const TensorArgument& from, const TensorArgument& out,
                       bool as_null);

/// 561003 for what CANN has a kernel for, but the simulator has not.
[[noreturn]] void fail_not_simulated(const Plan& plan, const char* what);

}  // namespace pyaclnn::sim
