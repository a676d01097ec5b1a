// aclnnRoiAlign
//
// Mean of interpolated points in each bin of each box.
#ifndef PYACLNN_ACLNNOP_ACLNN_ROI_ALIGN_H_
#define PYACLNN_ACLNNOP_ACLNN_ROI_ALIGN_H_

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

ACLNN_API aclnnStatus aclnnRoiAlignGetWorkspaceSize(const aclTensor* self, const aclTensor* rois,
                                                    const aclTensor* batchIndices, const char* mode,
                                                    int outputHeight, int outputWidth,
                                                    int samplingRatio, float spatialScale,
                                                    aclTensor* out, uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnRoiAlign(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ROI_ALIGN_H_
