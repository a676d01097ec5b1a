// aclnnExpSegsumBackward
//
// gradInput: with g = gradOutput * gradSelf, the sum of g over all rows from i on and columns
// before i.
//
// gradSelf is the forward output, (..., T, T), whose element (r, c) is exp of the sum of the inputs
// from c + 1 to r for c <= r, and 0 above; gradInput is (..., T). float32, float16 and bfloat16, on
// Atlas A2 and A3 only.
//
// See the page of this name in the CANN operator documentation.
#ifndef PYACLNN_ACLNNOP_ACLNN_EXP_SEGSUM_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_EXP_SEGSUM_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnExpSegsumBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                             const aclTensor* gradSelf,
                                                             aclTensor* gradInput,
                                                             uint64_t* workspaceSize,
                                                             aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnExpSegsumBackward(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_EXP_SEGSUM_BACKWARD_H_
