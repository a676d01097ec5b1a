// aclnnUpsampleBicubic2dBackward
//
// gradInput: each element of gradOut is spread over the sixteen input elements it was interpolated
// from, with the weights of the interpolation (Keys' cubic, a = -0.75).
//
// gradOut and gradInput are (N, C, H, W). outputSize has the spatial lengths of the gradient,
// inputSize the whole shape of the result; the scales are the output length over the input length,
// 0 to take it from the sizes; alignCorners puts the outermost elements' centres on one another.
// float32 and float16, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.interpolate with mode bicubic.
#ifndef PYACLNN_ACLNNOP_ACLNN_UPSAMPLE_BICUBIC_2D_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_UPSAMPLE_BICUBIC_2D_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnUpsampleBicubic2dBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclIntArray* outputSize, const aclIntArray* inputSize,
    const bool alignCorners, double scalesH, double scalesW, aclTensor* gradInput,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnUpsampleBicubic2dBackward(void* workspace, uint64_t workspaceSize,
                                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_UPSAMPLE_BICUBIC_2D_BACKWARD_H_
