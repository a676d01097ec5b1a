// aclnnFastGeluBackward
//
// gradInput = gradOutput * (1 + t + 1.702 * x * t) / (1 + t)^2, where t = exp(-1.702 * x) and x is
// self.
//
// It is the derivative of x * sigmoid(1.702 * x). All tensors have one shape of up to 8 dimensions
// and one dtype: float32, float16 and bfloat16, on Atlas A2 and later only.
//
// See the page of this name in the CANN operator documentation.
#ifndef PYACLNN_ACLNNOP_ACLNN_FAST_GELU_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_FAST_GELU_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnFastGeluBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                            const aclTensor* self,
                                                            aclTensor* gradInput,
                                                            uint64_t* workspaceSize,
                                                            aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnFastGeluBackward(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FAST_GELU_BACKWARD_H_
