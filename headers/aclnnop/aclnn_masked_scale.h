// aclnnMaskedScale
//
// out = self * mask * scale.
#ifndef PYACLNN_ACLNNOP_ACLNN_MASKED_SCALE_H_
#define PYACLNN_ACLNNOP_ACLNN_MASKED_SCALE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnMaskedScaleGetWorkspaceSize(const aclTensor* self, const aclTensor* mask,
                                                       float scale, aclTensor* out,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnMaskedScale(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MASKED_SCALE_H_
