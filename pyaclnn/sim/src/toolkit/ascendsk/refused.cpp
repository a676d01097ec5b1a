// Operators fused into super kernels.
// SPDX-License-Identifier: MIT
#include "core/refuse.hpp"

// ACL_ERROR_API_NOT_SUPPORT.
#define SK_REFUSES(function) SIM_REFUSE(200001, function)

SK_REFUSES(aclskOptimize)
SK_REFUSES(aclskScopeBegin)
SK_REFUSES(aclskScopeEnd)
