// aclnnSiluBackward
//
// gradInput = gradOutput * s * (1 + self * (1 - s)), where s = sigmoid(self).
//
// All tensors have one shape of up to 8 dimensions and one dtype: float32 and float16, and bfloat16
// on Atlas A2 and later. On Ascend 950 gradOutput and self broadcast, and gradInput is float32
// where their dtypes differ.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.silu.
#ifndef PYACLNN_ACLNNOP_ACLNN_SILU_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_SILU_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnSiluBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                        const aclTensor* self, aclTensor* gradInput,
                                                        uint64_t* workspaceSize,
                                                        aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSiluBackward(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SILU_BACKWARD_H_
