// The casts that CANN has, by themselves or on the way to and from another kernel.
// SPDX-License-Identifier: MIT
#pragma once

#include "acl/acl_base.h"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Refuses a conversion from one type to another that CANN has not (561103): the AI CPU casts among
/// the old types, and the 950 those of 16 and 32 bits to smaller ones and back.
void check_has_cast(const Plan& plan, aclDataType from, aclDataType to);

}  // namespace pyaclnn::sim
