// aclnnScatterList
//
// Writes updates into tensors of a list, each at its own place, in place.
#ifndef PYACLNN_ACLNNOP_ACLNN_SCATTER_LIST_H_
#define PYACLNN_ACLNNOP_ACLNN_SCATTER_LIST_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnScatterListGetWorkspaceSize(
    aclTensorList* varRef, const aclTensor* indice, const aclTensor* updates,
    const aclTensor* maskOptional, char* reduceOptional, int64_t axis, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnScatterList(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SCATTER_LIST_H_
