// aclnnHardswishBackward
//
// out = gradOutput * d, where d = 0 for self < -3, 1 for self > 3, and self / 3 + 1 / 2 between,
// the ends -3 and 3 included.
//
// All tensors have one shape of up to 8 dimensions and one dtype: float32 or float16, and bfloat16
// on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.hardswish.
#ifndef PYACLNN_ACLNNOP_ACLNN_HARDSWISH_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_HARDSWISH_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// First phase: checks the arguments and plans the call. Stores the size in bytes of the device
// memory the second phase needs, and the executor to hand to it.
ACLNN_API aclnnStatus aclnnHardswishBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                             const aclTensor* self, aclTensor* out,
                                                             uint64_t* workspaceSize,
                                                             aclOpExecutor** executor);

// Second phase: enqueues the planned work on the stream and consumes the executor. The workspace,
// the tensors' device memory and the stream must outlive the enqueued work.
ACLNN_API aclnnStatus aclnnHardswishBackward(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_HARDSWISH_BACKWARD_H_
