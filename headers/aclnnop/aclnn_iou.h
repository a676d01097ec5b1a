// aclnnIou
//
// Intersection over union, or over the first box, of pairs of boxes.
#ifndef PYACLNN_ACLNNOP_ACLNN_IOU_H_
#define PYACLNN_ACLNNOP_ACLNN_IOU_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnIouGetWorkspaceSize(const aclTensor* bBoxes, const aclTensor* gtBoxes,
                                               const char* mode, float eps, bool aligned,
                                               aclTensor* overlap, uint64_t* workspaceSize,
                                               aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnIou(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_IOU_H_
