// aclnnLayerNormBackward
//
// gradInputOut = rstd * (g - mean(g) - xhat * mean(g * xhat)), where xhat = (input - mean) * rstd
// and g = gradOut * weight; gradWeightOut = sum(gradOut * xhat), gradBiasOut = sum(gradOut).
//
// Means go over the last dimensions, which normalizedShape names, sums over the others. outputMask
// has three values and says which results are wanted; without weightOptional the weight is 1, and
// biasOptional is read for its shape only. float32 and float16, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.layer_norm.
#ifndef PYACLNN_ACLNNOP_ACLNN_LAYER_NORM_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_LAYER_NORM_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnLayerNormBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclIntArray* normalizedShape,
    const aclTensor* mean, const aclTensor* rstd, const aclTensor* weightOptional,
    const aclTensor* biasOptional, const aclBoolArray* outputMask, aclTensor* gradInputOut,
    aclTensor* gradWeightOut, aclTensor* gradBiasOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnLayerNormBackward(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_LAYER_NORM_BACKWARD_H_
