// aclnnLayerNormQuant
//
// Layer normalisation, quantised with given or computed scales.
#ifndef PYACLNN_ACLNNOP_ACLNN_LAYER_NORM_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_LAYER_NORM_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnLayerNormQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* gammma, const aclTensor* beta, const aclTensor* scale,
    const aclTensor* zeroPointsOptional, int quantMode, double epsilon, aclTensor* res,
    aclTensor* scaleOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnLayerNormQuant(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_LAYER_NORM_QUANT_H_
