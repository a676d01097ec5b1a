// aclnnRoiAlignV2
//
// Mean of interpolated points in each bin of each box. Version 2 of its interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_ROI_ALIGN_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_ROI_ALIGN_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

// As in CANN, for what includes this header.
#ifdef __cplusplus
#include <cstring>
#endif

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnRoiAlignV2GetWorkspaceSize(const aclTensor* self, const aclTensor* boxes,
                                                      int64_t pooledHeight, int64_t pooledWidth,
                                                      float spatialScale, int64_t samplingRatio,
                                                      bool aligned, aclTensor* out,
                                                      uint64_t* workspaceSize,
                                                      aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnRoiAlignV2(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ROI_ALIGN_V2_H_
