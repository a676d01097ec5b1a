// Channels that bring data sets to a device.
// SPDX-License-Identifier: MIT
#include "core/refuse.hpp"

// ACL_ERROR_API_NOT_SUPPORT.
#define TDT_REFUSES(function) SIM_REFUSE(200001, function)
#define TDT_HAS_NO_POINTER(function) SIM_REFUSE_AS(200001, function, void*, nullptr)

TDT_REFUSES(acltdtCleanChannel)
TDT_REFUSES(acltdtDestroyChannel)
TDT_REFUSES(acltdtQueryChannelSize)
TDT_REFUSES(acltdtReceiveTensor)
TDT_REFUSES(acltdtSendTensor)
TDT_REFUSES(acltdtStopChannel)
TDT_HAS_NO_POINTER(acltdtCreateChannel)
TDT_HAS_NO_POINTER(acltdtCreateChannelWithCapacity)
