// aclnnMaxUnpool3dBackward
//
// out = gradOutput at the places that indices gives within each volume.
//
// self, indices and out have one shape, (N, C, D, H, W) or (C, D, H, W); the volumes of gradOutput
// have the three lengths of outputSize. stride and padding have three values and change nothing.
// float32, float16, float64, int8 to int64 and uint8; indices are int64, and out is contiguous.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.max_unpool3d.
#ifndef PYACLNN_ACLNNOP_ACLNN_MAX_UNPOOL3D_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_MAX_UNPOOL3D_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMaxUnpool3dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* indices,
    const aclIntArray* outputSize, const aclIntArray* stride, const aclIntArray* padding,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMaxUnpool3dBackward(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MAX_UNPOOL3D_BACKWARD_H_
