// aclnnGeluBackward
//
// gradInput = gradOutput * gelu'(self), where gelu(x) = x / 2 * (1 + tanh(sqrt(2 / pi) * (x +
// 0.044715 * x^3))).
//
// The kernel computes the tanh approximation, which differs from the form by the error function by
// less than 0.0009; aclnnGeluBackwardV2 has both. gradOutput and self broadcast and are cast to
// their common dtype; gradInput has the broadcast shape and any dtype. float32 and float16, and
// bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.gelu.
#ifndef PYACLNN_ACLNNOP_ACLNN_GELU_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_GELU_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnGeluBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                        const aclTensor* self,
                                                        const aclTensor* gradInput,
                                                        uint64_t* workspaceSize,
                                                        aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnGeluBackward(void* workspace, uint64_t workspace_size,
                                        aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GELU_BACKWARD_H_
