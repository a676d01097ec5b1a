// aclnnCIoU
//
// Complete intersection over union of pairs of boxes.
#ifndef PYACLNN_ACLNNOP_ACLNN_CIOU_H_
#define PYACLNN_ACLNNOP_ACLNN_CIOU_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnCIoUGetWorkspaceSize(const aclTensor* bBoxes, const aclTensor* gtBoxes,
                                                bool trans, bool isCross, const char* mode,
                                                aclTensor* overlap, aclTensor* atanSub,
                                                uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnCIoU(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CIOU_H_
