// aclnnSwigluGroup
//
// SwiGLU of groups of rows, with a weight for each row.
#ifndef PYACLNN_ACLNNOP_ACLNN_SWIGLU_GROUP_H_
#define PYACLNN_ACLNNOP_ACLNN_SWIGLU_GROUP_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSwigluGroupGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weightOptional, const aclTensor* groupIndexOptional,
    double clampLimit, const aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSwigluGroup(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SWIGLU_GROUP_H_
