// aclnnGridSampler2DBackward
//
// inputGrad: each element of gradOutput is spread over the input elements it was interpolated from;
// gridGrad: the derivative of the interpolation by the coordinates.
//
// input is (N, C, H, W) and grid (N, Ho, Wo, 2). interpolationMode is 0 for bilinear, 1 for
// nearest; paddingMode is 0 for zeros, 1 for border, 2 for reflection. alignCorners puts -1 and 1
// on the outermost elements' centres. outputMask has two values and says which results are wanted;
// both must be given. float32, float16 and float64, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.grid_sample.
#ifndef PYACLNN_ACLNNOP_ACLNN_GRID_SAMPLER2D_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_GRID_SAMPLER2D_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnGridSampler2DBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* input, const aclTensor* grid,
    int64_t interpolationMode, int64_t paddingMode, bool alignCorners,
    const aclBoolArray* outputMask, aclTensor* inputGrad, aclTensor* gridGrad,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnGridSampler2DBackward(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GRID_SAMPLER2D_BACKWARD_H_
