// aclnnDeepNormGrad
//
// With y = alpha * x + gx and g = dy * gamma: dgxOut = rstd * (g - mean(g) - yhat * mean(g *
// yhat)), dxOut = alpha * dgxOut; dgammaOut = sum(dy * yhat), dbetaOut = sum(dy), where yhat = (y -
// mean) * rstd.
//
// Means go over the dimensions of gamma, the last ones, sums over the others. mean, rstd, dgammaOut
// and dbetaOut are float32. float32, float16 and bfloat16 on Atlas A2.
//
// See the page of this name in the CANN operator documentation.
#ifndef PYACLNN_ACLNNOP_ACLNN_DEEP_NORM_GRAD_H_
#define PYACLNN_ACLNNOP_ACLNN_DEEP_NORM_GRAD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnDeepNormGradGetWorkspaceSize(
    const aclTensor* dy, const aclTensor* x, const aclTensor* gx, const aclTensor* gamma,
    const aclTensor* mean, const aclTensor* rstd, double alpha, const aclTensor* dxOut,
    const aclTensor* dgxOut, const aclTensor* dbetaOut, const aclTensor* dgammaOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnDeepNormGrad(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_DEEP_NORM_GRAD_H_
