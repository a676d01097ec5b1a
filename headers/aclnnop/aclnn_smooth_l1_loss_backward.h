// aclnnSmoothL1LossBackward
//
// With d = self - target: gradInput = gradOut * d / beta where |d| < beta, and gradOut * sign(d)
// elsewhere; divided by the number of elements for the mean.
//
// reduction is 0 for none, 1 for mean, 2 for sum. The three inputs broadcast; beta is not below 0.
// float32 and float16, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.smooth_l1_loss.
#ifndef PYACLNN_ACLNNOP_ACLNN_SMOOTH_L1_LOSS_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_SMOOTH_L1_LOSS_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnSmoothL1LossBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* self, const aclTensor* target, int64_t reduction,
    float beta, aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSmoothL1LossBackward(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SMOOTH_L1_LOSS_BACKWARD_H_
