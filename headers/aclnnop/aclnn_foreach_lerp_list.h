// aclnnForeachLerpList
//
// For each tensor of a list: out = x1 + weight * (x2 - x1), with tensors of weights.
#ifndef PYACLNN_ACLNNOP_ACLNN_FOREACH_LERP_LIST_H_
#define PYACLNN_ACLNNOP_ACLNN_FOREACH_LERP_LIST_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// CANN 8.1 declares (const aclTensorList *x1, const aclTensorList *x2, const aclTensorList *weight,
// const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor).
ACLNN_API aclnnStatus aclnnForeachLerpListGetWorkspaceSize(
    const aclTensorList* x1, const aclTensorList* x2, const aclTensorList* weight,
    aclTensorList* out, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnForeachLerpList(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FOREACH_LERP_LIST_H_
