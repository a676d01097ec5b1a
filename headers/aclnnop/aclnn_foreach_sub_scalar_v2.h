// aclnnForeachSubScalarV2
//
// Subtracts one scalar from each tensor of a list.
#ifndef PYACLNN_ACLNNOP_ACLNN_FOREACH_SUB_SCALAR_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_FOREACH_SUB_SCALAR_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnForeachSubScalarV2GetWorkspaceSize(const aclTensorList* x,
                                                              const aclScalar* scalar,
                                                              aclTensorList* out,
                                                              uint64_t* workspaceSize,
                                                              aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnForeachSubScalarV2(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FOREACH_SUB_SCALAR_V2_H_
