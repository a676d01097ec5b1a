// aclnnUpsampleTrilinear3dBackward
//
// gradInput: each element of gradOut is spread over the eight input elements it was interpolated
// from, with the weights of the interpolation.
//
// gradOut and gradInput are (N, C, D, H, W). outputSize has the spatial lengths of the gradient,
// inputSize the whole shape of the result; the scales are the output length over the input length,
// 0 to take it from the sizes; alignCorners puts the outermost elements' centres on one another.
// float32, float16 and float64, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.interpolate with mode trilinear.
#ifndef PYACLNN_ACLNNOP_ACLNN_UPSAMPLE_TRILINEAR_3D_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_UPSAMPLE_TRILINEAR_3D_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnUpsampleTrilinear3dBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclIntArray* outputSize, const aclIntArray* inputSize,
    bool alignCorners, double scalesD, double scalesH, double scalesW, aclTensor* gradInput,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnUpsampleTrilinear3dBackward(void* workspace, uint64_t workspaceSize,
                                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_UPSAMPLE_TRILINEAR_3D_BACKWARD_H_
