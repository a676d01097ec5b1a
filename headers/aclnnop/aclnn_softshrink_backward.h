// aclnnSoftshrinkBackward
//
// gradInput = gradOutput where |self| > lambda, and 0 elsewhere.
//
// gradOutput and self broadcast against each other, up to 8 dimensions; gradInput has the broadcast
// shape. float32 and float16, and bfloat16 on Atlas A2 and later; inputs of different dtypes are
// computed in float32. lambda is a scalar not below 0. A NaN in self lets the gradient through.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.softshrink.
#ifndef PYACLNN_ACLNNOP_ACLNN_SOFTSHRINK_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_SOFTSHRINK_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// First phase: checks the arguments and plans the call. Stores the size in bytes of the device
// memory the second phase needs, and the executor to hand to it.
ACLNN_API aclnnStatus aclnnSoftshrinkBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclScalar* lambda,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: enqueues the planned work on the stream and consumes the executor. The workspace,
// the tensors' device memory and the stream must outlive the enqueued work.
ACLNN_API aclnnStatus aclnnSoftshrinkBackward(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SOFTSHRINK_BACKWARD_H_
