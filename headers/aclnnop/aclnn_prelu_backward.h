// aclnnPreluBackward
//
// gradInput = gradOutput where self > 0, and gradOutput * weight elsewhere; gradWeight = sum of
// gradOutput * min(self, 0) over all but the channel.
//
// weight has one element, or one for each channel, the second dimension of self; gradOutput
// broadcasts to self. float32 and float16, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.prelu.
#ifndef PYACLNN_ACLNNOP_ACLNN_PRELU_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_PRELU_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnPreluBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* weight,
    aclTensor* gradInput, aclTensor* gradWeight, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnPreluBackward(void* workspace, uint64_t workspace_size,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_PRELU_BACKWARD_H_
