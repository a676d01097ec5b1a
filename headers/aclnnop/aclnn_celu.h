#ifndef PYACLNN_ACLNNOP_ACLNN_CELU_H_
#define PYACLNN_ACLNNOP_ACLNN_CELU_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnCelu
//
// out = self where it is positive, and alpha * (exp(self / alpha) - 1) elsewhere.
ACLNN_API aclnnStatus aclnnCeluGetWorkspaceSize(const aclTensor* self, const aclScalar* alpha,
                                                aclTensor* out, uint64_t* workspaceSize,
                                                aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnCelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream);

// aclnnInplaceCelu
//
// selfRef = selfRef where it is positive, and alpha * (exp(selfRef / alpha) - 1) elsewhere, in
// place.
ACLNN_API aclnnStatus aclnnInplaceCeluGetWorkspaceSize(aclTensor* selfRef, const aclScalar* alpha,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceCelu(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CELU_H_
