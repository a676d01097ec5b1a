// aclnnForeachAtan
//
// For each tensor of a list: out = arc tangent of x.
#ifndef PYACLNN_ACLNNOP_ACLNN_FOREACH_ATAN_H_
#define PYACLNN_ACLNNOP_ACLNN_FOREACH_ATAN_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnForeachAtanGetWorkspaceSize(const aclTensorList* x,
                                                       const aclTensorList* out,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnForeachAtan(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FOREACH_ATAN_H_
