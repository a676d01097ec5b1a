// Collective communication within a machine, a package of its own.
// SPDX-License-Identifier: MIT
#include "core/refuse.hpp"

// LCAL_ERROR_INTERNAL, as the interface has no code for what is not supported.
#define LCAL_REFUSES(function) SIM_REFUSE(-5, function)

LCAL_REFUSES(LcalCommInit)
LCAL_REFUSES(LcalCommInitRankLocal)
LCAL_REFUSES(LcclAllGather)
LCAL_REFUSES(LcclAllReduce)
LCAL_REFUSES(LcclBroadcast)
LCAL_REFUSES(LcclCommDestroy)
LCAL_REFUSES(LcclReduceScatter)
