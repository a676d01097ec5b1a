// aclnnAvgPool3dBackward
//
// output: each element of gradOutput is divided by the size of its window and added to all places
// of the window.
//
// The size is divisorOverride if that is not 0, and counts the padding for countIncludePad. self is
// (N, C, D, H, W) or (C, D, H, W). kernelSize, stride and padding have one value, or one for each
// dimension; an empty stride means the kernel's size, and ceilMode that the output lengths were
// rounded up. float32, float16 and bfloat16, all on Atlas A2 and later only.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.avg_pool3d.
#ifndef PYACLNN_ACLNNOP_ACLNN_AVGPOOL3D_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_AVGPOOL3D_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// CANN 8.1 declares (const aclTensor *gradOuput, const aclTensor *self, const aclIntArray
// *kernelSize, const aclIntArray *stride, const aclIntArray *padding, bool ceilMode, bool
// countIncludePad, int64_t divisorOverride, aclTensor *output, uint64_t *workspaceSize,
// aclOpExecutor **executor).
ACLNN_API aclnnStatus aclnnAvgPool3dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclIntArray* kernelSize,
    const aclIntArray* stride, const aclIntArray* padding, bool ceilMode, bool countIncludePad,
    int64_t divisorOverride, aclTensor* output, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnAvgPool3dBackward(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_AVGPOOL3D_BACKWARD_H_
