// aclnnSwigluGroupQuantGrad
//
// Gradients of the quantised SwiGLU of groups of rows.
#ifndef PYACLNN_ACLNNOP_ACLNN_SWIGLU_GROUP_QUANT_GRAD_H_
#define PYACLNN_ACLNNOP_ACLNN_SWIGLU_GROUP_QUANT_GRAD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSwigluGroupQuantGradGetWorkspaceSize(
    const aclTensor* gradY, const aclTensor* x, const aclTensor* weightOptional,
    const aclTensor* yOriginOptional, const aclTensor* groupIndexOptional, double clampLimit,
    const aclTensor* gradXOut, const aclTensor* gradWeightOutOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSwigluGroupQuantGrad(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SWIGLU_GROUP_QUANT_GRAD_H_
