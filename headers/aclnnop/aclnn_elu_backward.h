// aclnnEluBackward
//
// gradInput = gradOutput * scale where x > 0; elsewhere gradOutput * inputScale * (y + alpha *
// scale) for isResult, and gradOutput * alpha * scale * inputScale * exp(x * inputScale) otherwise.
//
// selfOrResult is the forward output y for isResult, with alpha not below 0, and the forward input
// x otherwise. All tensors have one shape of up to 8 dimensions. selfOrResult has the dtype of
// gradOutput, gradInput one that it can be cast to: float32 and float16, and bfloat16 on Atlas A2
// and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.elu.
#ifndef PYACLNN_ACLNNOP_ACLNN_ELU_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_ELU_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnEluBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclScalar* alpha, const aclScalar* scale,
    const aclScalar* inputScale, bool isResult, const aclTensor* selfOrResult, aclTensor* gradInput,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnEluBackward(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ELU_BACKWARD_H_
