// aclnnForeachAddList
//
// Adds alpha times the tensor of another list to each tensor of a list.
#ifndef PYACLNN_ACLNNOP_ACLNN_FOREACH_ADD_LIST_H_
#define PYACLNN_ACLNNOP_ACLNN_FOREACH_ADD_LIST_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// CANN 8.1 declares (const aclTensorList *x1, const aclTensorList *x2, const aclTensor *alpha,
// const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor).
ACLNN_API aclnnStatus aclnnForeachAddListGetWorkspaceSize(
    const aclTensorList* x1, const aclTensorList* x2, const aclTensor* alpha, aclTensorList* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnForeachAddList(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FOREACH_ADD_LIST_H_
