// aclnnClippedSwigluGrad
//
// Gradient of SwiGLU with limited halves.
#ifndef PYACLNN_ACLNNOP_ACLNN_CLIPPED_SWIGLU_GRAD_H_
#define PYACLNN_ACLNNOP_ACLNN_CLIPPED_SWIGLU_GRAD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnClippedSwigluGradGetWorkspaceSize(
    const aclTensor* gradY, const aclTensor* x, const aclTensor* groupIndexOptional, int64_t dim,
    double alpha, double limit, double bias, bool interleaved, const aclTensor* gradXOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnClippedSwigluGrad(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CLIPPED_SWIGLU_GRAD_H_
