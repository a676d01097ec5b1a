// aclnnForeachPowList
//
// Raises each tensor of a list to the power of the tensor of another list.
#ifndef PYACLNN_ACLNNOP_ACLNN_FOREACH_POW_LIST_H_
#define PYACLNN_ACLNNOP_ACLNN_FOREACH_POW_LIST_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnForeachPowListGetWorkspaceSize(const aclTensorList* x1,
                                                          const aclTensorList* x2,
                                                          const aclTensorList* out,
                                                          uint64_t* workspaceSize,
                                                          aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnForeachPowList(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FOREACH_POW_LIST_H_
