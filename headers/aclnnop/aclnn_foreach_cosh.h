// aclnnForeachCosh
//
// For each tensor of a list: out = hyperbolic cosine of x.
#ifndef PYACLNN_ACLNNOP_ACLNN_FOREACH_COSH_H_
#define PYACLNN_ACLNNOP_ACLNN_FOREACH_COSH_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnForeachCoshGetWorkspaceSize(const aclTensorList* x,
                                                       const aclTensorList* out,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnForeachCosh(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FOREACH_COSH_H_
