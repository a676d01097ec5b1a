// aclnnGroupNormBackward
//
// gradInput = rstd * (g - mean(g) - xhat * mean(g * xhat)), where xhat = (input - mean) * rstd and
// g = gradOut * gamma; gradGammaOut = sum(gradOut * xhat), gradBetaOut = sum(gradOut).
//
// input has N * C * HxW elements; mean and rstd are (N, group). Means go over each group, sums over
// all but the channel. outputMask has three values and says which results are wanted. float32 and
// float16, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.group_norm.
#ifndef PYACLNN_ACLNNOP_ACLNN_GROUP_NORM_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_GROUP_NORM_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

// As in CANN, for what includes this header.
#ifdef __cplusplus
#include <array>
#endif

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnGroupNormBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclTensor* mean, const aclTensor* rstd,
    const aclTensor* gamma, int64_t N, int64_t C, int64_t HxW, int64_t group,
    const aclBoolArray* outputMask, aclTensor* gradInput, aclTensor* gradGammaOut,
    aclTensor* gradBetaOut, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnGroupNormBackward(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GROUP_NORM_BACKWARD_H_
