// aclnnUpsampleNearest3dBackward
//
// gradInput: each element of gradOut is added to the one input element it was copied from, floor(i
// * input length / output length).
//
// gradOut and gradInput are (N, C, D, H, W). outputSize has the spatial lengths of the gradient,
// inputSize the whole shape of the result; the scales are the output length over the input length,
// 0 to take it from the sizes. float32 and float16, float64, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.interpolate with mode nearest.
#ifndef PYACLNN_ACLNNOP_ACLNN_UPSAMPLE_NEAREST_3D_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_UPSAMPLE_NEAREST_3D_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnUpsampleNearest3dBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclIntArray* outputSize, const aclIntArray* inputSize,
    double scalesD, double scalesH, double scalesW, aclTensor* gradInput, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnUpsampleNearest3dBackward(void* workspace, uint64_t workspaceSize,
                                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_UPSAMPLE_NEAREST_3D_BACKWARD_H_
