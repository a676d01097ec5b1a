// SPDX-License-Identifier: MIT
#pragma once

#include "acl/acl_base.h"

namespace pyaclnn::sim {

/// Whether CANN has a cast, by itself or on the way to another kernel: the AI CPU casts among the
/// old types, and the 950 those of 16 and 32 bits to smaller ones and back.
bool has_cast(aclDataType from, aclDataType to);

}  // namespace pyaclnn::sim
