// aclnnAvgPool2dBackward
//
// gradInput: each element of gradOutput is divided by the size of its window and added to all
// places of the window.
//
// The size is divisorOverride if that is not 0, and counts the padding for countIncludePad. self is
// (N, C, H, W) or (C, H, W), of format NCHW or NCL. kernelSize, stride and padding have one value,
// or one for each dimension; an empty stride means the kernel's size, and ceilMode that the output
// lengths were rounded up. float32 and float16, and bfloat16 on Atlas A2 and later. The matrix unit
// may round float32 gradients to hfloat32 for a cubeMathType of 1 or 3, and to float16 for 2; chips
// before A2 have float16 only and must be allowed it, by 1 or 2.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.avg_pool2d.
#ifndef PYACLNN_ACLNNOP_ACLNN_AVGPOOL2D_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_AVGPOOL2D_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnAvgPool2dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclIntArray* kernelSize,
    const aclIntArray* stride, const aclIntArray* padding, bool ceilMode, bool countIncludePad,
    int64_t divisorOverride, int8_t cubeMathType, aclTensor* gradInput, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnAvgPool2dBackward(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_AVGPOOL2D_BACKWARD_H_
