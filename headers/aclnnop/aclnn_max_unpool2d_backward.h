// aclnnMaxUnpool2dBackward
//
// out = gradOutput at the places that indices gives within each plane.
//
// self, indices and out have one shape, (N, C, H, W) or (C, H, W); the planes of gradOutput have
// the two lengths of outputSize. float32, float16, bool, int8 to int64 and uint8; out may be of a
// wider kind than gradOutput. indices are int32 or int64.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.max_unpool2d.
#ifndef PYACLNN_ACLNNOP_ACLNN_MAX_UNPOOL2D_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_MAX_UNPOOL2D_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMaxUnpool2dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* indices,
    const aclIntArray* outputSize, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMaxUnpool2dBackward(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MAX_UNPOOL2D_BACKWARD_H_
