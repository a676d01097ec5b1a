// Diagnosis of hardware.
// SPDX-License-Identifier: MIT
#include "core/refuse.hpp"

// ACL_ERROR_API_NOT_SUPPORT, as the interface documents no code of its own.
#define AML_REFUSES(function) SIM_REFUSE(200001, function)

AML_REFUSES(AmlAicoreDetectOnline)
AML_REFUSES(AmlP2PDetectOnline)
