#ifndef PYACLNN_ACLNNOP_ACLNN_GE_TENSOR_H_
#define PYACLNN_ACLNNOP_ACLNN_GE_TENSOR_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGeTensor
//
// out = (self >= other).
ACLNN_API aclnnStatus aclnnGeTensorGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                                    aclTensor* out, uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnGeTensor(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, const aclrtStream stream);

// aclnnInplaceGeTensor
//
// selfRef = (selfRef >= other), in place.
ACLNN_API aclnnStatus aclnnInplaceGeTensorGetWorkspaceSize(aclTensor* selfRef,
                                                           const aclTensor* other,
                                                           uint64_t* workspaceSize,
                                                           aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceGeTensor(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GE_TENSOR_H_
