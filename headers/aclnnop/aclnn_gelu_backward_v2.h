// aclnnGeluBackwardV2
//
// gradInput = gradOutput * gelu'(self), where gelu(x) is x * Phi(x) for approximate "none", and x /
// 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) for "tanh".
//
// gradOutput and self broadcast; gradInput has the broadcast shape. gradOutput and self are cast to
// their common dtype, which gradInput must have: float32 and float16, and bfloat16 on Atlas A2 and
// later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.gelu.
#ifndef PYACLNN_ACLNNOP_ACLNN_GELU_BACKWARD_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_GELU_BACKWARD_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnGeluBackwardV2GetWorkspaceSize(const aclTensor* gradOutput,
                                                          const aclTensor* self, char* approximate,
                                                          aclTensor* gradInput,
                                                          uint64_t* workspaceSize,
                                                          aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnGeluBackwardV2(void* workspace, uint64_t workspace_size,
                                          aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GELU_BACKWARD_V2_H_
