// aclnnForeachDivList
//
// Divides each tensor of a list by the tensor of another list.
#ifndef PYACLNN_ACLNNOP_ACLNN_FOREACH_DIV_LIST_H_
#define PYACLNN_ACLNNOP_ACLNN_FOREACH_DIV_LIST_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// CANN 8.1 declares (const aclTensorList *x1, const aclTensorList *x2, const aclTensorList *out,
// uint64_t *workspaceSize, aclOpExecutor **executor).
ACLNN_API aclnnStatus aclnnForeachDivListGetWorkspaceSize(const aclTensorList* x1,
                                                          const aclTensorList* x2,
                                                          aclTensorList* out,
                                                          uint64_t* workspaceSize,
                                                          aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnForeachDivList(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FOREACH_DIV_LIST_H_
