// aclnnGroupNormSwishGrad
//
// The gradient of swish(groupNorm(x)), where swish(y) = y * sigmoid(swishScale * y): dy is
// multiplied by the derivative of swish, then dxOut, dgammaOut and dbetaOut follow as for group
// normalisation.
//
// x is (N, C, ...); mean and rstd are (N, numGroups); gamma and beta have C elements;
// dataFormatOptional is "NCHW"; dgammaIsRequire and dbetaIsRequire say whether those are wanted.
// float32, float16 and bfloat16 on Atlas A2.
//
// See the page of this name in the CANN operator documentation.
#ifndef PYACLNN_ACLNNOP_ACLNN_GROUP_NORM_SWISH_GRAD_H_
#define PYACLNN_ACLNNOP_ACLNN_GROUP_NORM_SWISH_GRAD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnGroupNormSwishGradGetWorkspaceSize(
    const aclTensor* dy, const aclTensor* mean, const aclTensor* rstd, const aclTensor* x,
    const aclTensor* gamma, const aclTensor* beta, int64_t numGroups, char* dataFormatOptional,
    double swishScale, bool dgammaIsRequire, bool dbetaIsRequire, const aclTensor* dxOut,
    const aclTensor* dgammaOut, const aclTensor* dbetaOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnGroupNormSwishGrad(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GROUP_NORM_SWISH_GRAD_H_
