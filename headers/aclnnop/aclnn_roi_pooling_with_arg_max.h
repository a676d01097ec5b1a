// aclnnRoiPoolingWithArgMax
//
// Maximum in each bin of each box, and its place.
#ifndef PYACLNN_ACLNNOP_ACLNN_ROI_POOLING_WITH_ARG_MAX_H_
#define PYACLNN_ACLNNOP_ACLNN_ROI_POOLING_WITH_ARG_MAX_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRoiPoolingWithArgMaxGetWorkspaceSize(
    const aclTensor* x, const aclTensor* rois, int64_t pooled_h, int64_t pooled_w,
    float spatial_scale_h, float spatial_scale_w, aclTensor* y, aclTensor* argmax,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRoiPoolingWithArgMax(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ROI_POOLING_WITH_ARG_MAX_H_
