// aclnnAdaptiveAvgPool3dBackward
//
// out: each gradient is divided by the size of its window and added to all places of the window;
// window i of o over n reaches from floor(i * n / o) to ceil((i + 1) * n / o).
//
// self and out are (N, C, D, H, W) or (C, D, H, W); only the shape of self is read. All tensors
// have one dtype: float32 and float16, bfloat16 on Atlas A2 and later, and float64 where the
// volumes of gradOutput have one element.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.adaptive_avg_pool3d.
#ifndef PYACLNN_ACLNNOP_ACLNN_ADAPTIVE_AVG_POOL3D_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_ADAPTIVE_AVG_POOL3D_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnAdaptiveAvgPool3dBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                                     const aclTensor* self,
                                                                     aclTensor* out,
                                                                     uint64_t* workspaceSize,
                                                                     aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnAdaptiveAvgPool3dBackward(void* workspace, uint64_t workspaceSize,
                                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ADAPTIVE_AVG_POOL3D_BACKWARD_H_
