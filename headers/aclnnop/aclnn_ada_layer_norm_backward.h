// aclnnAdaLayerNormBackward
//
// Five gradients of layerNorm(input) * (1 + scale) + shift: gradInputOut, gradScaleOut and
// gradShiftOut, and gradWeightOut and gradBiasOut by the parameters of the normalisation.
//
// input is (B, S, H); scale and shift are (B, H) or (B, 1, H); normalizedShape is (H); mean and
// rstd come from the forward operator. float32, float16 and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation.
#ifndef PYACLNN_ACLNNOP_ACLNN_ADA_LAYER_NORM_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_ADA_LAYER_NORM_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAdaLayerNormBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclIntArray* normalizedShape,
    const aclTensor* rstd, const aclTensor* mean, const aclTensor* scale, const aclTensor* shift,
    const aclTensor* weightOptional, const aclTensor* biasOptional, aclTensor* gradInputOut,
    aclTensor* gradScaleOut, aclTensor* gradShiftOut, aclTensor* gradWeightOut,
    aclTensor* gradBiasOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAdaLayerNormBackward(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ADA_LAYER_NORM_BACKWARD_H_
