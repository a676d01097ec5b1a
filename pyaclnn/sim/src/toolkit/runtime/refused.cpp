// The runtime's own interface, below AscendCL: kernels that a program brings with it.
// SPDX-License-Identifier: MIT
#include "core/refuse.hpp"

// ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
#define RT_REFUSES(function) SIM_REFUSE(207000, function)

RT_REFUSES(rtDevBinaryRegister)
RT_REFUSES(rtFunctionRegister)
RT_REFUSES(rtGetC2cCtrlAddr)
RT_REFUSES(rtKernelLaunch)
