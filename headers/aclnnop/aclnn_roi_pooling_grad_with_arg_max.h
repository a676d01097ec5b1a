// aclnnRoiPoolingGradWithArgMax
//
// Gradient of the maximum in each bin of each box.
#ifndef PYACLNN_ACLNNOP_ACLNN_ROI_POOLING_GRAD_WITH_ARG_MAX_H_
#define PYACLNN_ACLNNOP_ACLNN_ROI_POOLING_GRAD_WITH_ARG_MAX_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRoiPoolingGradWithArgMaxGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* gradInputRef, const aclTensor* rois,
    const aclTensor* argmax, int64_t pooledH, int64_t pooledW, double spatialScale,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRoiPoolingGradWithArgMax(void* workspace, uint64_t workspaceSize,
                                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ROI_POOLING_GRAD_WITH_ARG_MAX_H_
