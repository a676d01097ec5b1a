// Operators that look at the chip themselves.
// SPDX-License-Identifier: MIT
#pragma once

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// 361001 on a chip that does not have the operator.
inline void check_chip_has(const Plan& plan, bool has) {
  if (!has)
    fail(ACLNN_ERR_RUNTIME_ERROR, "%s: %s does not have the operator", plan.api(), chip().name);
}

}  // namespace pyaclnn::sim
