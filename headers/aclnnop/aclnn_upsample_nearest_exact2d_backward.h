// aclnnUpsampleNearestExact2dBackward
//
// out: each element of gradOutput is added to the one input element it was copied from, floor((i +
// 0.5) * input length / output length).
//
// gradOutput and out are (N, C, H, W). outputSize has the spatial lengths of the gradient,
// inputSize the whole shape of the result; the scales are the output length over the input length,
// 0 to take it from the sizes. float32, float16 and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.interpolate with mode nearest-exact.
#ifndef PYACLNN_ACLNNOP_ACLNN_UPSAMPLE_NEAREST_EXACT2D_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_UPSAMPLE_NEAREST_EXACT2D_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnUpsampleNearestExact2dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclIntArray* outputSize, const aclIntArray* inputSize,
    double scalesH, double scalesW, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnUpsampleNearestExact2dBackward(void* workspace, uint64_t workspaceSize,
                                                          aclOpExecutor* executor,
                                                          aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_UPSAMPLE_NEAREST_EXACT2D_BACKWARD_H_
