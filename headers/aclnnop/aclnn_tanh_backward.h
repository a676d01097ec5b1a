// aclnnTanhBackward
//
// gradInput = gradOutput * (1 - output^2).
//
// output is the forward output. gradOutput and output broadcast; gradInput has the broadcast shape.
// All have one dtype: float32, float16 and float64, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.tanh.
#ifndef PYACLNN_ACLNNOP_ACLNN_TANH_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_TANH_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnTanhBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                        const aclTensor* output,
                                                        aclTensor* gradInput,
                                                        uint64_t* workspaceSize,
                                                        aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnTanhBackward(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_TANH_BACKWARD_H_
