// aclnnHardshrinkBackward
//
// gradInput = gradOutput where |self| > lambd, and 0 elsewhere; a negative lambd counts as 0.
//
// gradOutput and self broadcast; gradInput has the broadcast shape and any of the dtypes, each its
// own: float32 and float16, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.hardshrink.
#ifndef PYACLNN_ACLNNOP_ACLNN_HARDSHRINK_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_HARDSHRINK_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnHardshrinkBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclScalar* lambd,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnHardshrinkBackward(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_HARDSHRINK_BACKWARD_H_
