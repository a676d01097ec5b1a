// aclnnIm2colBackward
//
// out: every column's elements are added at the places they were taken from.
//
// gradOutput is (N, C * kernel size, L) or without N, out (N, C, H, W) with inputSize for H and W.
// kernelSize, dilation, padding and stride have two values each. float32 and float16, and bfloat16
// on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.unfold.
#ifndef PYACLNN_ACLNNOP_ACLNN_IM2COL_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_IM2COL_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnIm2colBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclIntArray* inputSize, const aclIntArray* kernelSize,
    const aclIntArray* dilation, const aclIntArray* padding, const aclIntArray* stride,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnIm2colBackward(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_IM2COL_BACKWARD_H_
