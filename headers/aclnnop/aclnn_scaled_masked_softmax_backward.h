// aclnnScaledMaskedSoftmaxBackward
//
// out = scale * y * (gradOutput - sum(gradOutput * y over the last dimension)), and 0 where mask is
// set.
//
// y is the forward output. Four dimensions, the last one up to 4096; mask is bool and broadcasts in
// the first two. fixTriuMask, which stands for an upper triangular mask, must be false. float32,
// float16 and bfloat16, on Atlas A2 and later only. Tensors must have the format ND, not NCHW.
//
// See the page of this name in the CANN operator documentation.
#ifndef PYACLNN_ACLNNOP_ACLNN_SCALED_MASKED_SOFTMAX_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_SCALED_MASKED_SOFTMAX_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnScaledMaskedSoftmaxBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* y, const aclTensor* mask, double scale,
    bool fixTriuMask, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnScaledMaskedSoftmaxBackward(void* workspace, uint64_t workspaceSize,
                                                       aclOpExecutor* executor,
                                                       const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SCALED_MASKED_SOFTMAX_BACKWARD_H_
