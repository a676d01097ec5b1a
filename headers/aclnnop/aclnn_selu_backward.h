// aclnnSeluBackward
//
// gradInput = gradOutput * scale where result >= 0, and gradOutput * (result + scale * alpha)
// elsewhere, with scale = 1.0507009873554805 and alpha = 1.6732632423543772.
//
// result is what the forward SELU returned. All tensors have one shape and one dtype: float32,
// float16, int32 or int8, and bfloat16 on Atlas A2. CANN 9.0 takes the second branch at
// result = 0 on the chips of the 950 series.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.selu.
#ifndef PYACLNN_ACLNNOP_ACLNN_SELU_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_SELU_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// First phase: checks the arguments and plans the call. Stores the size in bytes of the device
// memory the second phase needs, and the executor to hand to it.
ACLNN_API aclnnStatus aclnnSeluBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                        const aclTensor* result,
                                                        aclTensor* gradInput,
                                                        uint64_t* workspaceSize,
                                                        aclOpExecutor** executor);

// Second phase: enqueues the planned work on the stream and consumes the executor. The workspace,
// the tensors' device memory and the stream must outlive the enqueued work.
ACLNN_API aclnnStatus aclnnSeluBackward(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SELU_BACKWARD_H_
