// aclnnReflectionPad3dBackward
//
// gradInput: the sum of gradOutput over all places of the padded tensor that hold a copy of the
// element; the padding has the elements mirrored at the borders.
//
// self and gradInput are (C, D, H, W) or (N, C, D, H, W); padding has six values: left, right, top,
// bottom, front, back, each below the length it pads. float32 and float16, bfloat16 on Atlas A2 and
// later, and float64, complex64 and complex128 by the AI CPU.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.pad with mode reflect.
#ifndef PYACLNN_ACLNNOP_ACLNN_REFLECTION_PAD3D_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_REFLECTION_PAD3D_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnReflectionPad3dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclIntArray* padding,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnReflectionPad3dBackward(void* workspace, uint64_t workspaceSize,
                                                   aclOpExecutor* executor,
                                                   const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_REFLECTION_PAD3D_BACKWARD_H_
