// aclnnSigmoidBackward
//
// gradInput = gradOutput * output * (1 - output).
//
// output is the forward output. gradOutput and output broadcast and are cast to their common dtype;
// gradInput has the broadcast shape. float32, float16, float64, complex64 and complex128, and
// bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.sigmoid.
#ifndef PYACLNN_ACLNNOP_ACLNN_SIGMOID_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_SIGMOID_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnSigmoidBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                           const aclTensor* output,
                                                           aclTensor* gradInput,
                                                           uint64_t* workspaceSize,
                                                           aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSigmoidBackward(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SIGMOID_BACKWARD_H_
