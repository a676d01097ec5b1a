// aclnnBinaryCrossEntropyBackward
//
// out = gradOutput * weight * (self - target) / max(self * (1 - self), 1e-12), divided by the
// number of elements for the mean.
//
// self is a probability. reduction is 0 for none, 1 for mean, 2 for sum. weightOptional broadcasts
// to self. float32 and float16, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.binary_cross_entropy.
#ifndef PYACLNN_ACLNNOP_ACLNN_BINARY_CROSS_ENTROPY_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_BINARY_CROSS_ENTROPY_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnBinaryCrossEntropyBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* target,
    const aclTensor* weightOptional, int64_t reduction, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnBinaryCrossEntropyBackward(void* workspace, uint64_t workspaceSize,
                                                      aclOpExecutor* executor,
                                                      const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_BINARY_CROSS_ENTROPY_BACKWARD_H_
