// aclnnForeachErfc
//
// For each tensor of a list: out = 1 - erf(x).
#ifndef PYACLNN_ACLNNOP_ACLNN_FOREACH_ERFC_H_
#define PYACLNN_ACLNNOP_ACLNN_FOREACH_ERFC_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnForeachErfcGetWorkspaceSize(const aclTensorList* x,
                                                       const aclTensorList* out,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnForeachErfc(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FOREACH_ERFC_H_
