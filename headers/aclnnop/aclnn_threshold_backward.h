// aclnnThresholdBackward
//
// out = gradOutput where self > threshold, and 0 elsewhere.
//
// gradOutput and self broadcast against each other, up to 8 dimensions, and have the dtype of out;
// out has the broadcast shape. float32, float16, int32, int8 and uint8, and bfloat16 on Ascend 910B
// and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.threshold; with threshold 0 it is ReLU.
#ifndef PYACLNN_ACLNNOP_ACLNN_THRESHOLD_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_THRESHOLD_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// First phase: checks the arguments and plans the call. Stores the size in bytes of the device
// memory the second phase needs, and the executor to hand to it.
ACLNN_API aclnnStatus aclnnThresholdBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclScalar* threshold, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: enqueues the planned work on the stream and consumes the executor. The workspace,
// the tensors' device memory and the stream must outlive the enqueued work.
ACLNN_API aclnnStatus aclnnThresholdBackward(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_THRESHOLD_BACKWARD_H_
