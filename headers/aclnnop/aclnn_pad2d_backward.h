#ifndef PYACLNN_ACLNNOP_ACLNN_PAD2D_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_PAD2D_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnReflectionPad2dBackward
//
// gradInput: the sum of gradOutput over all places of the padded tensor that hold a copy of the
// element; the padding has the elements mirrored at the borders.
//
// self and gradInput are (C, H, W) or (N, C, H, W); padding has four values: left, right, top,
// bottom, each below the length it pads. float32 and float16, bfloat16 on Atlas A2 and later, and
// float64, complex64 and complex128 by the AI CPU.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.pad with mode reflect.
ACLNN_API aclnnStatus aclnnReflectionPad2dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclIntArray* padding,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnReflectionPad2dBackward(void* workspace, uint64_t workspaceSize,
                                                   aclOpExecutor* executor,
                                                   const aclrtStream stream);

// aclnnReplicationPad2dBackward
//
// gradInput: the sum of gradOutput over all places of the padded tensor that hold a copy of the
// element; the padding has the elements of the nearest border.
//
// self and gradInput are (C, H, W) or (N, C, H, W); padding has four values: left, right, top,
// bottom. float32 and float16, bfloat16 on Atlas A2 and later, and float64, complex64 and
// complex128 by the AI CPU.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.pad with mode replicate.
ACLNN_API aclnnStatus aclnnReplicationPad2dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclIntArray* padding,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnReplicationPad2dBackward(void* workspace, uint64_t workspaceSize,
                                                    aclOpExecutor* executor,
                                                    const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_PAD2D_BACKWARD_H_
