// aclnnLogSigmoidBackward
//
// gradInput = gradOutput * sigmoid(-self).
//
// buffer is the forward operator's second output and does not change the result. All tensors have
// one shape of up to 8 dimensions and one dtype: float32 and float16, and bfloat16 on Atlas A2 and
// later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.logsigmoid.
#ifndef PYACLNN_ACLNNOP_ACLNN_LOGSIGMOID_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_LOGSIGMOID_BACKWARD_H_

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

ACLNN_API aclnnStatus aclnnLogSigmoidBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* buffer,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnLogSigmoidBackward(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_LOGSIGMOID_BACKWARD_H_
