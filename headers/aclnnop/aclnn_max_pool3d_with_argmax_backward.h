// aclnnMaxPool3dWithArgmaxBackward
//
// gradInput: each gradient is added at the place that indices gives within the volume of self, and
// the rest is 0.
//
// self is (N, C, D, H, W) or (C, D, H, W). indices comes from the forward operator, int32 (int64
// too on the 950), of the shape of gradOutput. kernelSize, stride and padding have one value, or
// one for each dimension; an empty stride means the kernel's size, and ceilMode that the output
// lengths were rounded up. float32, float16 and bfloat16, all on Atlas A2 and later only.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.max_pool3d.
#ifndef PYACLNN_ACLNNOP_ACLNN_MAX_POOL3D_WITH_ARGMAX_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_MAX_POOL3D_WITH_ARGMAX_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMaxPool3dWithArgmaxBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* indices,
    const aclIntArray* kernelSize, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool ceilMode, aclTensor* gradInput, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMaxPool3dWithArgmaxBackward(void* workspace, uint64_t workspaceSize,
                                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MAX_POOL3D_WITH_ARGMAX_BACKWARD_H_
