// aclnnDeformableConv2d
//
// Convolution whose sampling points are moved by offsets and weighted.
#ifndef PYACLNN_ACLNNOP_ACLNN_DEFORMABLE_CONV2D_H_
#define PYACLNN_ACLNNOP_ACLNN_DEFORMABLE_CONV2D_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDeformableConv2dGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* offset,
    const aclTensor* biasOptional, const aclIntArray* kernelSize, const aclIntArray* stride,
    const aclIntArray* padding, const aclIntArray* dilation, int64_t groups,
    int64_t deformableGroups, bool modulated, aclTensor* out, aclTensor* deformOutOptional,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDeformableConv2d(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_DEFORMABLE_CONV2D_H_
