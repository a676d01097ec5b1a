// aclnnClippedSwigluV2
//
// SwiGLU whose two halves are limited first. Version 2 of its interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_CLIPPED_SWIGLU_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_CLIPPED_SWIGLU_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnClippedSwigluV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* groupIndexOptional, int64_t dim, double alpha,
    double limit, double bias, bool interleaved, int64_t clampMode, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnClippedSwigluV2(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CLIPPED_SWIGLU_V2_H_
