#ifndef PYACLNN_ACLNNOP_ACLNN_SINC_H_
#define PYACLNN_ACLNNOP_ACLNN_SINC_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnInplaceSinc
//
// selfRef = sin(pi * selfRef) / (pi * selfRef), and 1 at 0, in place.
//
// CANN 8.1 declares (aclTensor *selfRef, uint64_t *workspace_size, aclOpExecutor **executor).
ACLNN_API aclnnStatus aclnnInplaceSincGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceSinc(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

// aclnnSinc
//
// out = sin(pi * self) / (pi * self), and 1 at 0.
ACLNN_API aclnnStatus aclnnSincGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                                uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSinc(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SINC_H_
