#ifndef PYACLNN_ACLNNOP_ACLNN_TANH_H_
#define PYACLNN_ACLNNOP_ACLNN_TANH_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnInplaceTanh
//
// selfRef = hyperbolic tangent of selfRef, in place.
ACLNN_API aclnnStatus aclnnInplaceTanhGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceTanh(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, const aclrtStream stream);

// aclnnTanh
//
// out = hyperbolic tangent of the input.
ACLNN_API aclnnStatus aclnnTanhGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                                uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnTanh(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_TANH_H_
