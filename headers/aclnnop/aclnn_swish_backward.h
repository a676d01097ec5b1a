// aclnnSwishBackward
//
// gradInput = gradOutput * (s + beta * self * s * (1 - s)), where s = sigmoid(beta * self) and beta
// is betaOptional, or 1 without it.
//
// All tensors have one shape of up to 8 dimensions and one dtype: float32 and float16, and bfloat16
// on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation.
#ifndef PYACLNN_ACLNNOP_ACLNN_SWISH_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_SWISH_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnSwishBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclScalar* betaOptional,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSwishBackward(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SWISH_BACKWARD_H_
