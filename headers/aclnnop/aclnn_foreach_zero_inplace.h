// aclnnForeachZeroInplace
//
// Sets all tensors of a list to 0.
#ifndef PYACLNN_ACLNNOP_ACLNN_FOREACH_ZERO_INPLACE_H_
#define PYACLNN_ACLNNOP_ACLNN_FOREACH_ZERO_INPLACE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnForeachZeroInplaceGetWorkspaceSize(const aclTensorList* x,
                                                              uint64_t* workspaceSize,
                                                              aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnForeachZeroInplace(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FOREACH_ZERO_INPLACE_H_
