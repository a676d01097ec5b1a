// aclnnL1LossBackward
//
// gradInput = gradOutput * sign(self - target), divided by the number of elements for the mean.
//
// reduction is 0 for none, 1 for mean, 2 for sum. The three inputs broadcast, and their dtypes are
// promoted: float32 and float16, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.l1_loss.
#ifndef PYACLNN_ACLNNOP_ACLNN_L1_LOSS_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_L1_LOSS_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnL1LossBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* target, int64_t reduction,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnL1LossBackward(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_L1_LOSS_BACKWARD_H_
