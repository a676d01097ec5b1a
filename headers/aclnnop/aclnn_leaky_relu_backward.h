// aclnnLeakyReluBackward
//
// out = gradOutput where self > 0, and gradOutput * negativeSlope elsewhere.
//
// For selfIsResult self is the forward output, and negativeSlope must not be below 0. gradOutput
// and self broadcast and are cast to their common dtype; out has the broadcast shape and any dtype.
// float32, float16 and float64, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.leaky_relu.
#ifndef PYACLNN_ACLNNOP_ACLNN_LEAKY_RELU_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_LEAKY_RELU_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnLeakyReluBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclScalar* negativeSlope,
    bool selfIsResult, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnLeakyReluBackward(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_LEAKY_RELU_BACKWARD_H_
