#ifndef PYACLNN_ACLNNOP_ACLNN_GEGLU_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_GEGLU_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGeGluBackward
//
// With self = (a, b) split along dim: gradInput = (gradOutput * gelu, gradOutput * a * gelu'(b)).
//
// gelu is gelu(b), an output of the forward operator. self is twice as long along dim as
// gradOutput, and gelu, the activated half, has the shape of gradOutput. approximate is 0 for the
// error function and 1 for tanh. float32 and float16, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation.
ACLNN_API aclnnStatus aclnnGeGluBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* gelu, int64_t dim,
    int64_t approximate, aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnGeGluBackward(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

// aclnnGeGluV3Backward
//
// With self = (a, b) split along dim: gradInput = (gradOutput * gelu, gradOutput * a * gelu'(b)),
// or with the halves exchanged for activateLeft.
//
// gelu is the activated half, an output of the forward operator. self is twice as long along dim as
// gradOutput, and gelu, the activated half, has the shape of gradOutput. approximate is 0 for the
// error function and 1 for tanh. float32 and float16, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation.
ACLNN_API aclnnStatus aclnnGeGluV3BackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* gelu, int64_t dim,
    int64_t approximate, bool activateLeft, aclTensor* gradInput, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnGeGluV3Backward(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GEGLU_BACKWARD_H_
