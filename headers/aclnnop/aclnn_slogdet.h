// aclnnSlogdet
//
// Sign and logarithm of the magnitude of a determinant.
#ifndef PYACLNN_ACLNNOP_ACLNN_SLOGDET_H_
#define PYACLNN_ACLNNOP_ACLNN_SLOGDET_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnSlogdetGetWorkspaceSize(const aclTensor* self, aclTensor* signOut,
                                                   aclTensor* logOut, uint64_t* workspaceSize,
                                                   aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSlogdet(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SLOGDET_H_
