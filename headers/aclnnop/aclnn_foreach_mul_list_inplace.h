// aclnnForeachMulListInplace
//
// Multiplies each tensor of a list by the tensor of another list, in place.
#ifndef PYACLNN_ACLNNOP_ACLNN_FOREACH_MUL_LIST_INPLACE_H_
#define PYACLNN_ACLNNOP_ACLNN_FOREACH_MUL_LIST_INPLACE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnForeachMulListInplaceGetWorkspaceSize(const aclTensorList* x1,
                                                                 const aclTensorList* x2,
                                                                 uint64_t* workspaceSize,
                                                                 aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnForeachMulListInplace(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FOREACH_MUL_LIST_INPLACE_H_
