#ifndef PYACLNN_ACLNNOP_ACLNN_MAX_POOL2D_WITH_INDICES_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_MAX_POOL2D_WITH_INDICES_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMaxPool2dWithIndicesBackward
//
// gradInput: each gradient is added at the place that indices gives within the plane of self, and
// the rest is 0.
//
// self is (N, C, H, W) or (C, H, W). indices comes from the forward operator and has the shape of
// gradOutput. kernelSize, stride and padding have one value, or one for each dimension; an empty
// stride means the kernel's size, and ceilMode that the output lengths were rounded up. On Atlas A2
// and A3 float32 with int32 indices and a dilation of 1; on the 950 float16, bfloat16, int64
// indices and other dilations too.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.max_pool2d.
ACLNN_API aclnnStatus aclnnMaxPool2dWithIndicesBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* indices,
    const aclIntArray* kernelSize, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool ceilMode, aclTensor* gradInput, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMaxPool2dWithIndicesBackward(void* workspace, uint64_t workspaceSize,
                                                        aclOpExecutor* executor,
                                                        aclrtStream stream);

// aclnnMaxPool2dWithMaskBackward
//
// gradInput: each element of gradOutput is added at the largest element of its window, and the rest
// is 0.
//
// self is (N, C, H, W) or (C, H, W). indices is what the forward operator wrote, int8 of shape (N,
// C, kH * kW, (ceil(oH * oW / 16) + 1) * 32): a bit mask, but on Atlas A2 and A3, unless the kernel
// is 1 by 1, int32 indices at its start. kernelSize, stride and padding have one value, or one for
// each dimension; an empty stride means the kernel's size, and ceilMode that the output lengths
// were rounded up; dilation is 1 only. float32 and float16, and bfloat16 on Atlas A2 and A3; not on
// the 950.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.max_pool2d.
ACLNN_API aclnnStatus aclnnMaxPool2dWithMaskBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* indices,
    const aclIntArray* kernelSize, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool ceilMode, aclTensor* gradInput, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMaxPool2dWithMaskBackward(void* workspace, uint64_t workspaceSize,
                                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MAX_POOL2D_WITH_INDICES_BACKWARD_H_
