// aclnnForeachSqrt
//
// For each tensor of a list: out = square root of x.
#ifndef PYACLNN_ACLNNOP_ACLNN_FOREACH_SQRT_H_
#define PYACLNN_ACLNNOP_ACLNN_FOREACH_SQRT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// CANN 8.1 declares (const aclTensorList *x, const aclTensorList *out, uint64_t *workspaceSize,
// aclOpExecutor **executor).
ACLNN_API aclnnStatus aclnnForeachSqrtGetWorkspaceSize(const aclTensorList* x, aclTensorList* out,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnForeachSqrt(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FOREACH_SQRT_H_
