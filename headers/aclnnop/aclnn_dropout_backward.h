// aclnnDropoutBackward
//
// out = gradOutput * scale where the mask's bit is set, and 0 elsewhere. A scale of 1 copies
// gradOutput and one of 0 gives zeros, whatever the mask.
//
// scale is 1 / (1 - p). mask is uint8, one bit for each element, lowest first, in whole groups of
// 128 bits. float32 and float16, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.dropout.
#ifndef PYACLNN_ACLNNOP_ACLNN_DROPOUT_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_DROPOUT_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnDropoutBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                           const aclTensor* mask, double scale,
                                                           aclTensor* out, uint64_t* workspaceSize,
                                                           aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnDropoutBackward(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_DROPOUT_BACKWARD_H_
