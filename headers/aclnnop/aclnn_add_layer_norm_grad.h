// aclnnAddLayerNormGrad
//
// With x = x1 + x2 and g = dy * gamma: dxOut = rstd * (g - mean(g) - xhat * mean(g * xhat)) +
// dsumOptional; dgammaOut = sum(dy * xhat), dbetaOut = sum(dy), where xhat = (x - mean) * rstd.
//
// Means go over the dimensions of gamma, the last ones, sums over the others; mean and rstd come
// from the forward operator, float32. float32 and float16, and bfloat16 on Atlas A2.
//
// See the page of this name in the CANN operator documentation.
#ifndef PYACLNN_ACLNNOP_ACLNN_ADD_LAYER_NORM_GRAD_H_
#define PYACLNN_ACLNNOP_ACLNN_ADD_LAYER_NORM_GRAD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnAddLayerNormGradGetWorkspaceSize(
    const aclTensor* dy, const aclTensor* x1, const aclTensor* x2, const aclTensor* rstd,
    const aclTensor* mean, const aclTensor* gamma, const aclTensor* dsumOptional,
    const aclTensor* dxOut, const aclTensor* dgammaOut, const aclTensor* dbetaOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnAddLayerNormGrad(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ADD_LAYER_NORM_GRAD_H_
