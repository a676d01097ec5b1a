#ifndef PYACLNN_ACLNNOP_ACLNN_ADDR_H_
#define PYACLNN_ACLNNOP_ACLNN_ADDR_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAddr
//
// out = beta * self + alpha * outer product of vec1 and vec2.
ACLNN_API aclnnStatus aclnnAddrGetWorkspaceSize(const aclTensor* self, const aclTensor* vec1,
                                                const aclTensor* vec2,
                                                const aclScalar* betaOptional,
                                                const aclScalar* alphaOptional, aclTensor* out,
                                                uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnAddr(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                const aclrtStream stream);

// aclnnInplaceAddr
//
// selfRef = beta * selfRef + alpha * outer product of vec1 and vec2, in place.
ACLNN_API aclnnStatus aclnnInplaceAddrGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* vec1, const aclTensor* vec2, const aclScalar* betaOptional,
    const aclScalar* alphaOptional, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceAddr(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ADDR_H_
