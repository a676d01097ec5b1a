// aclnnNonMaxSuppression
//
// Chooses boxes by score, leaving out those that overlap a chosen one.
#ifndef PYACLNN_ACLNNOP_ACLNN_NON_MAX_SUPPRESSION_H_
#define PYACLNN_ACLNNOP_ACLNN_NON_MAX_SUPPRESSION_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnNonMaxSuppressionGetWorkspaceSize(
    const aclTensor* boxes, const aclTensor* scores, aclIntArray* maxOutputBoxesPerClass,
    aclFloatArray* iouThreshold, aclFloatArray* scoreThreshold, int32_t centerPointBox,
    aclTensor* selectedIndices, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnNonMaxSuppression(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_NON_MAX_SUPPRESSION_H_
