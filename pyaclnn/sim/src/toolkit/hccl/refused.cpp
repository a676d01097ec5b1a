// Collective communication: recovery, and memory that is sent without copies.
// SPDX-License-Identifier: MIT
#include "core/refuse.hpp"

// HCCL_E_NOT_SUPPORT.
#define HCCL_REFUSES(function) SIM_REFUSE(5, function)

HCCL_REFUSES(HcclCommActivateCommMemory)
HCCL_REFUSES(HcclCommDeactivateCommMemory)
HCCL_REFUSES(HcclCommDeregister)
HCCL_REFUSES(HcclCommExchangeMem)
HCCL_REFUSES(HcclCommRegister)
HCCL_REFUSES(HcclCommResume)
HCCL_REFUSES(HcclCommSetMemoryRange)
HCCL_REFUSES(HcclCommSuspend)
HCCL_REFUSES(HcclCommUnsetMemoryRange)
HCCL_REFUSES(HcclCommWorkingDevNicSet)
