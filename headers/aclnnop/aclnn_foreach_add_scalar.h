// aclnnForeachAddScalar
//
// Adds one scalar to each tensor of a list.
#ifndef PYACLNN_ACLNNOP_ACLNN_FOREACH_ADD_SCALAR_H_
#define PYACLNN_ACLNNOP_ACLNN_FOREACH_ADD_SCALAR_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnForeachAddScalarGetWorkspaceSize(const aclTensorList* x,
                                                            const aclTensor* scalar,
                                                            const aclTensorList* out,
                                                            uint64_t* workspaceSize,
                                                            aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnForeachAddScalar(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FOREACH_ADD_SCALAR_H_
