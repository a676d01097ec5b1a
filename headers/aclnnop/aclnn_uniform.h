#ifndef PYACLNN_ACLNNOP_ACLNN_UNIFORM_H_
#define PYACLNN_ACLNNOP_ACLNN_UNIFORM_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnInplaceUniform
//
// Fills selfRef with random numbers between from and to.
ACLNN_API aclnnStatus aclnnInplaceUniformGetWorkspaceSize(const aclTensor* selfRef, double from,
                                                          double to, uint64_t seed, uint64_t offset,
                                                          uint64_t* workspaceSize,
                                                          aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceUniform(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, const aclrtStream stream);

// aclnnInplaceUniformTensor
//
// Fills selfRef with random numbers between from and to, with the seed and offset in tensors.
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnInplaceUniformTensorGetWorkspaceSize(
    const aclTensor* selfRef, double from, double to, const aclTensor* seedTensor,
    const aclTensor* offsetTensor, uint64_t offset, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnInplaceUniformTensor(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_UNIFORM_H_
