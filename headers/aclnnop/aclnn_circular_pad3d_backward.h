// aclnnCircularPad3dBackward
//
// gradInput: the sum of gradOutput over all places of the padded tensor that hold a copy of the
// element; the padding has the elements of the opposite border.
//
// self and gradInput are (C, D, H, W) or (N, C, D, H, W); padding has six values: left, right, top,
// bottom, front, back, each below the length it pads. float32, float16 and bfloat16 on Atlas A2 and
// later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.pad with mode circular.
#ifndef PYACLNN_ACLNNOP_ACLNN_CIRCULAR_PAD3D_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_CIRCULAR_PAD3D_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnCircularPad3dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclIntArray* padding,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnCircularPad3dBackward(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CIRCULAR_PAD3D_BACKWARD_H_
