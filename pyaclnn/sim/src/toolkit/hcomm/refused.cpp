// Groups of collective calls.
// SPDX-License-Identifier: MIT
#include "core/refuse.hpp"

// HCCL_E_NOT_SUPPORT.
#define HCCL_REFUSES(function) SIM_REFUSE(5, function)

HCCL_REFUSES(HcclGroupEnd)
HCCL_REFUSES(HcclGroupStart)
