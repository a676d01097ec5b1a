// aclnnAdaLayerNormQuant
//
// out = layerNorm(x) * (1 + scale) + shift, quantised to int8 with a scale for each row.
#ifndef PYACLNN_ACLNNOP_ACLNN_ADA_LAYER_NORM_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_ADA_LAYER_NORM_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAdaLayerNormQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* scale, const aclTensor* shift,
    const aclTensor* weightOptional, const aclTensor* biasOptional,
    const aclTensor* smoothScalesOptional, double epsilon, const char* quantMode, aclTensor* out,
    aclTensor* quantScale, aclTensor* quantOffsetOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAdaLayerNormQuant(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ADA_LAYER_NORM_QUANT_H_
