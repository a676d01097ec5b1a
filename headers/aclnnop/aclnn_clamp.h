#ifndef PYACLNN_ACLNNOP_ACLNN_CLAMP_H_
#define PYACLNN_ACLNNOP_ACLNN_CLAMP_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnClamp
//
// out = self limited to [clipValueMin, clipValueMax].
ACLNN_API aclnnStatus aclnnClampGetWorkspaceSize(const aclTensor* self,
                                                 const aclScalar* clipValueMin,
                                                 const aclScalar* clipValueMax, aclTensor* out,
                                                 uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnClamp(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 const aclrtStream stream);

// aclnnClampMax
//
// out = self limited to at most clipValueMax.
ACLNN_API aclnnStatus aclnnClampMaxGetWorkspaceSize(const aclTensor* self,
                                                    const aclScalar* clipValueMax, aclTensor* out,
                                                    uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnClampMax(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

// aclnnClampMaxTensor
//
// out = the smaller of self and max.
ACLNN_API aclnnStatus aclnnClampMaxTensorGetWorkspaceSize(const aclTensor* self,
                                                          const aclTensor* max, aclTensor* out,
                                                          uint64_t* workspaceSize,
                                                          aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnClampMaxTensor(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

// aclnnClampMin
//
// out = self limited to at least clipValueMin.
ACLNN_API aclnnStatus aclnnClampMinGetWorkspaceSize(const aclTensor* self,
                                                    const aclScalar* clipValueMin, aclTensor* out,
                                                    uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnClampMin(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, const aclrtStream stream);

// aclnnClampMinTensor
//
// out = the larger of self and clipValueMin.
ACLNN_API aclnnStatus aclnnClampMinTensorGetWorkspaceSize(const aclTensor* self,
                                                          const aclTensor* clipValueMin,
                                                          aclTensor* out, uint64_t* workspaceSize,
                                                          aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnClampMinTensor(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, const aclrtStream stream);

// aclnnClampTensor
//
// out = self limited by a tensor from below and one from above.
ACLNN_API aclnnStatus aclnnClampTensorGetWorkspaceSize(const aclTensor* self,
                                                       const aclTensor* clipValueMin,
                                                       const aclTensor* clipValueMax,
                                                       aclTensor* out, uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnClampTensor(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, const aclrtStream stream);

// aclnnInplaceClampMax
//
// selfRef = selfRef limited to at most clipValueMax, in place.
ACLNN_API aclnnStatus aclnnInplaceClampMaxGetWorkspaceSize(const aclTensor* selfRef,
                                                           const aclScalar* clipValueMax,
                                                           uint64_t* workspaceSize,
                                                           aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceClampMax(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

// aclnnInplaceClampMaxTensor
//
// selfRef = the smaller of selfRef and max, in place.
ACLNN_API aclnnStatus aclnnInplaceClampMaxTensorGetWorkspaceSize(aclTensor* selfRef,
                                                                 const aclTensor* max,
                                                                 uint64_t* workspaceSize,
                                                                 aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceClampMaxTensor(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

// aclnnInplaceClampMinTensor
//
// selfRef = the larger of selfRef and clipValueMin, in place.
ACLNN_API aclnnStatus aclnnInplaceClampMinTensorGetWorkspaceSize(aclTensor* selfRef,
                                                                 const aclTensor* clipValueMin,
                                                                 uint64_t* workspaceSize,
                                                                 aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceClampMinTensor(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CLAMP_H_
