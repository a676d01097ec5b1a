// aclnnKlDivTargetBackward
//
// gradTarget = gradOutput * (log(target) + 1 - self), or gradOutput * (target + 1 - self) *
// exp(target) for logTarget; divided for the mean.
//
// The derivative by target, summed over the dimensions target lacks. reduction is 0 for none, 1 for
// mean, 2 for sum, 3 for batchmean. float32, float16 and bfloat16, on Atlas A2 and later only.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.kl_div.
#ifndef PYACLNN_ACLNNOP_ACLNN_KL_DIV_TARGET_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_KL_DIV_TARGET_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnKlDivTargetBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* target, int64_t reduction,
    bool logTarget, aclTensor* gradTarget, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnKlDivTargetBackward(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_KL_DIV_TARGET_BACKWARD_H_
