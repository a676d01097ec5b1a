// The interface of profiling tools: no activity is recorded here.
// SPDX-License-Identifier: MIT
#include "core/refuse.hpp"

// MSPTI_ERROR_INNER, as the interface has no code for what is not supported.
#define MSPTI_REFUSES(function) SIM_REFUSE(999, function)

MSPTI_REFUSES(msptiActivityDisable)
MSPTI_REFUSES(msptiActivityEnable)
MSPTI_REFUSES(msptiActivityFlushAll)
MSPTI_REFUSES(msptiActivityGetNextRecord)
MSPTI_REFUSES(msptiActivityIsEnabled)
MSPTI_REFUSES(msptiActivityPopExternalCorrelationId)
MSPTI_REFUSES(msptiActivityPushExternalCorrelationId)
MSPTI_REFUSES(msptiActivityRegisterCallbacks)
MSPTI_REFUSES(msptiSubscribe)
MSPTI_REFUSES(msptiUnsubscribe)
