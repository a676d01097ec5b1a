// aclnnHeaviside
//
// out = 0 below zero, 1 above, and values at zero.
#ifndef PYACLNN_ACLNNOP_ACLNN_HEAVISIDE_H_
#define PYACLNN_ACLNNOP_ACLNN_HEAVISIDE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnHeavisideGetWorkspaceSize(const aclTensor* input,
                                                     const aclTensor* values, aclTensor* out,
                                                     uint64_t* workspaceSize,
                                                     aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnHeaviside(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_HEAVISIDE_H_
