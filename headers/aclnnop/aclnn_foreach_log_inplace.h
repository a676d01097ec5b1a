// aclnnForeachLogInplace
//
// For each tensor of a list: out = natural logarithm of x. The result replaces it.
#ifndef PYACLNN_ACLNNOP_ACLNN_FOREACH_LOG_INPLACE_H_
#define PYACLNN_ACLNNOP_ACLNN_FOREACH_LOG_INPLACE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnForeachLogInplaceGetWorkspaceSize(const aclTensorList* x,
                                                             uint64_t* workspaceSize,
                                                             aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnForeachLogInplace(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FOREACH_LOG_INPLACE_H_
