// aclnnRoiAlignV2Backward
//
// gradInput: each gradient is divided by the number of its sampling points and spread over the four
// elements around each, with the bilinear weights.
//
// gradOutput is (K, C, pooledHeight, pooledWidth), gradInput has the four lengths of inputShape,
// boxes (K, 5): the image and the corners x1, y1, x2, y2, multiplied by spatialScale and moved by
// half an element for aligned. samplingRatio is the number of points for each side of a bin, 0 for
// as many as it has elements. float32.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torchvision.ops.roi_align.
#ifndef PYACLNN_ACLNNOP_ACLNN_ROI_ALIGN_V2_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_ROI_ALIGN_V2_BACKWARD_H_

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

ACLNN_API aclnnStatus aclnnRoiAlignV2BackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* boxes, const aclIntArray* inputShape,
    int64_t pooledHeight, int64_t pooledWidth, float spatialScale, int64_t samplingRatio,
    bool aligned, aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnRoiAlignV2Backward(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ROI_ALIGN_V2_BACKWARD_H_
