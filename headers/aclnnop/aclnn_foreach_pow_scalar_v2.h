// aclnnForeachPowScalarV2
//
// Raises each tensor of a list to the power of one scalar.
#ifndef PYACLNN_ACLNNOP_ACLNN_FOREACH_POW_SCALAR_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_FOREACH_POW_SCALAR_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnForeachPowScalarV2GetWorkspaceSize(const aclTensorList* x,
                                                              const aclScalar* scalar,
                                                              aclTensorList* out,
                                                              uint64_t* workspaceSize,
                                                              aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnForeachPowScalarV2(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FOREACH_POW_SCALAR_V2_H_
