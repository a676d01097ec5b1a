// aclnnAdaptiveMaxPool2dBackward
//
// gradInput: each gradient is added at the place that indices gives within the plane of self, and
// the rest is 0.
//
// self and gradInput are (N, C, H, W) or (C, H, W); indices comes from the forward operator and has
// the shape of gradOutput. float32, float16 and bfloat16, all on Atlas A2 and later only; indices
// are int32 or int64.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.adaptive_max_pool2d.
#ifndef PYACLNN_ACLNNOP_ACLNN_ADAPTIVE_MAX_POOL2D_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_ADAPTIVE_MAX_POOL2D_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAdaptiveMaxPool2dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* indices,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAdaptiveMaxPool2dBackward(void* workspace, uint64_t workspaceSize,
                                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ADAPTIVE_MAX_POOL2D_BACKWARD_H_
