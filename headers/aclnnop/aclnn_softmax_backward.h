// aclnnSoftmaxBackward
//
// out = output * (gradOutput - sum(gradOutput * output)), the sum taken over dimension dim, which
// is kept with length 1.
//
// output is what the forward softmax over dim returned. gradOutput and output have one dtype,
// float32 or float16, and bfloat16 on Atlas A2 and later; all tensors have one shape of up to 8
// dimensions. dim counts from the end when negative; a tensor without dimensions counts as having
// one.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.softmax.
#ifndef PYACLNN_ACLNNOP_ACLNN_SOFTMAX_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_SOFTMAX_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

// As in CANN, for what includes this header.
#ifdef __cplusplus
#include <array>
#endif

#ifdef __cplusplus
extern "C" {
#endif

// First phase: checks the arguments and plans the call. Stores the size in bytes of the device
// memory the second phase needs, and the executor to hand to it.
ACLNN_API aclnnStatus aclnnSoftmaxBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                           const aclTensor* output, int64_t dim,
                                                           aclTensor* out, uint64_t* workspaceSize,
                                                           aclOpExecutor** executor);

// Second phase: enqueues the planned work on the stream and consumes the executor. The workspace,
// the tensors' device memory and the stream must outlive the enqueued work.
ACLNN_API aclnnStatus aclnnSoftmaxBackward(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SOFTMAX_BACKWARD_H_
