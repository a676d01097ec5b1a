// aclnnAdaLayerNorm
//
// out = layerNorm(x) * (1 + scale) + shift.
#ifndef PYACLNN_ACLNNOP_ACLNN_ADA_LAYER_NORM_H_
#define PYACLNN_ACLNNOP_ACLNN_ADA_LAYER_NORM_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAdaLayerNormGetWorkspaceSize(
    const aclTensor* x, const aclTensor* scale, const aclTensor* shift,
    const aclTensor* weightOptional, const aclTensor* biasOptional, double epsilon, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAdaLayerNorm(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ADA_LAYER_NORM_H_
