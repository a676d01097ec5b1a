// aclnnAdaLayerNormV2
//
// out = layerNorm(x) * (1 + scale) + shift. Version 2 of its interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_ADA_LAYER_NORM_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_ADA_LAYER_NORM_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAdaLayerNormV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* scale, const aclTensor* shift,
    const aclTensor* weightOptional, const aclTensor* biasOptional, double epsilon, aclTensor* out,
    aclTensor* meanOutOptional, aclTensor* rstdOutOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAdaLayerNormV2(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ADA_LAYER_NORM_V2_H_
