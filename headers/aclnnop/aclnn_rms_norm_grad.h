// aclnnRmsNormGrad
//
// With g = dy * gamma and xhat = x * rstd: dxOut = rstd * (g - xhat * mean(g * xhat)), dgammaOut =
// sum(dy * xhat).
//
// Means go over the dimensions of gamma, the last ones, sums over the others. rstd and dgammaOut
// are float32. float32 and float16, and bfloat16 on Atlas A2.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.rms_norm.
#ifndef PYACLNN_ACLNNOP_ACLNN_RMS_NORM_GRAD_H_
#define PYACLNN_ACLNNOP_ACLNN_RMS_NORM_GRAD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnRmsNormGradGetWorkspaceSize(
    const aclTensor* dy, const aclTensor* x, const aclTensor* rstd, const aclTensor* gamma,
    const aclTensor* dxOut, const aclTensor* dgammaOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnRmsNormGrad(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_RMS_NORM_GRAD_H_
