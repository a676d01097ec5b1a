// aclnnForeachDivScalarV2
//
// Divides each tensor of a list by one scalar.
#ifndef PYACLNN_ACLNNOP_ACLNN_FOREACH_DIV_SCALAR_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_FOREACH_DIV_SCALAR_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnForeachDivScalarV2GetWorkspaceSize(const aclTensorList* x,
                                                              const aclScalar* scalar,
                                                              aclTensorList* out,
                                                              uint64_t* workspaceSize,
                                                              aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnForeachDivScalarV2(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FOREACH_DIV_SCALAR_V2_H_
