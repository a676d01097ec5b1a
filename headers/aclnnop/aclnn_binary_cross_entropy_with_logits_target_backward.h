// aclnnBinaryCrossEntropyWithLogitsTargetBackward
//
// gradTarget = -gradOutput * weight * (posWeight * log(sigmoid(self)) - log(1 - sigmoid(self))),
// divided by the number of elements for the mean.
//
// The derivative by target. The weights are 1 without weightOptional and posWeightOptional.
// reduction is 0 for none, 1 for mean, 2 for sum. float32, float16 and bfloat16, on Atlas A2 and A3
// only.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.binary_cross_entropy_with_logits.
#ifndef PYACLNN_ACLNNOP_ACLNN_BINARY_CROSS_ENTROPY_WITH_LOGITS_TARGET_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_BINARY_CROSS_ENTROPY_WITH_LOGITS_TARGET_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnBinaryCrossEntropyWithLogitsTargetBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* target,
    const aclTensor* weightOptional, const aclTensor* posWeightOptional, int64_t reduction,
    aclTensor* gradTarget, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnBinaryCrossEntropyWithLogitsTargetBackward(void* workspace,
                                                                      uint64_t workspaceSize,
                                                                      aclOpExecutor* executor,
                                                                      aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_BINARY_CROSS_ENTROPY_WITH_LOGITS_TARGET_BACKWARD_H_
