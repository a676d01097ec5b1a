// Functions of libopapi that no header declares.
// SPDX-License-Identifier: MIT
#include "core/refuse.hpp"

// ACLNN_ERR_INNER_FIND_KERNEL_ERROR, as for every operator that is not simulated.
#define OPAPI_REFUSES(function) SIM_REFUSE(561003, function)

OPAPI_REFUSES(aclnnReselectStaticKernel)
OPAPI_REFUSES(aclnnReselectStaticKernelWithPath)
