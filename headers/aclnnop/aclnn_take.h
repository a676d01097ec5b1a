// aclnnTake
//
// out = elements of self, taken as a row, that index names.
#ifndef PYACLNN_ACLNNOP_ACLNN_TAKE_H_
#define PYACLNN_ACLNNOP_ACLNN_TAKE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnTakeGetWorkspaceSize(const aclTensor* self, const aclTensor* index,
                                                aclTensor* out, uint64_t* workspaceSize,
                                                aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnTake(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_TAKE_H_
