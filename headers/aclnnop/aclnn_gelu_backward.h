// aclnnGeluBackward
//
// gradInput = gradOutput * (Phi(x) + x * phi(x)), with x = self and the normal distribution's
// cumulative function Phi and density phi.
//
// The form by the error function; aclnnGeluBackwardV2 has the tanh approximation too. gradOutput
// and self broadcast. float32 and float16, and bfloat16 on Atlas A2 and later.
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
