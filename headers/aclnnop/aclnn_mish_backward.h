// aclnnMishBackward
//
// gradInput = gradOutput * (t + x * s * (1 - t^2)), where x = self, s = sigmoid(x) and t =
// tanh(log(1 + exp(x))).
//
// gradOutput and self broadcast and are cast to their common dtype; gradInput has the broadcast
// shape and any of the dtypes: float32 and float16, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.mish.
#ifndef PYACLNN_ACLNNOP_ACLNN_MISH_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_MISH_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMishBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                        const aclTensor* self, aclTensor* gradInput,
                                                        uint64_t* workspaceSize,
                                                        aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMishBackward(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MISH_BACKWARD_H_
