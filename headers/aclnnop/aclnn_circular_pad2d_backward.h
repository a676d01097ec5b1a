// aclnnCircularPad2dBackward
//
// gradInput: the sum of gradOutput over all places of the padded tensor that hold a copy of the
// element; the padding has the elements of the opposite border.
//
// self and gradInput are (C, H, W) or (N, C, H, W); padding has four values: left, right, top,
// bottom, none above the length it pads. float32, float16 and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.pad with mode circular.
#ifndef PYACLNN_ACLNNOP_ACLNN_CIRCULAR_PAD2D_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_CIRCULAR_PAD2D_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnCircularPad2dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclIntArray* padding,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnCircularPad2dBackward(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CIRCULAR_PAD2D_BACKWARD_H_
