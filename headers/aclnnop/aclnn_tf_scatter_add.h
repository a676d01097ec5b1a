// aclnnTfScatterAdd
//
// Adds updates to slices of varRef, in place.
#ifndef PYACLNN_ACLNNOP_ACLNN_TF_SCATTER_ADD_H_
#define PYACLNN_ACLNNOP_ACLNN_TF_SCATTER_ADD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnTfScatterAddGetWorkspaceSize(aclTensor* varRef, const aclTensor* indices,
                                                        const aclTensor* updates,
                                                        uint64_t* workspaceSize,
                                                        aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnTfScatterAdd(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_TF_SCATTER_ADD_H_
