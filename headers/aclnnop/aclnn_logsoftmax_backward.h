// aclnnLogSoftmaxBackward
//
// out = gradOutput - exp(output) * sum(gradOutput over dim).
//
// output is the forward output; dim may be negative. All tensors have one shape of up to 8
// dimensions and one dtype: float32 and float16, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.log_softmax.
#ifndef PYACLNN_ACLNNOP_ACLNN_LOGSOFTMAX_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_LOGSOFTMAX_BACKWARD_H_

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

ACLNN_API aclnnStatus aclnnLogSoftmaxBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                              const aclTensor* output, int64_t dim,
                                                              aclTensor* out,
                                                              uint64_t* workspaceSize,
                                                              aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnLogSoftmaxBackward(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_LOGSOFTMAX_BACKWARD_H_
