#ifndef PYACLNN_ACLNNOP_ACLNN_FLOOR_DIVIDE_H_
#define PYACLNN_ACLNNOP_ACLNN_FLOOR_DIVIDE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnFloorDivide
//
// out = self / other, rounded downwards.
ACLNN_API aclnnStatus aclnnFloorDivideGetWorkspaceSize(const aclTensor* self,
                                                       const aclTensor* other, aclTensor* out,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnFloorDivide(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

// aclnnFloorDivides
//
// out = self / other, rounded downwards, where other is a scalar.
ACLNN_API aclnnStatus aclnnFloorDividesGetWorkspaceSize(const aclTensor* self,
                                                        const aclScalar* other, aclTensor* out,
                                                        uint64_t* workspaceSize,
                                                        aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnFloorDivides(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

// aclnnInplaceFloorDivide
//
// selfRef = selfRef / other, rounded downwards, in place.
ACLNN_API aclnnStatus aclnnInplaceFloorDivideGetWorkspaceSize(aclTensor* selfRef,
                                                              const aclTensor* other,
                                                              uint64_t* workspaceSize,
                                                              aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceFloorDivide(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

// aclnnInplaceFloorDivides
//
// selfRef = selfRef / other, rounded downwards, where other is a scalar, in place.
ACLNN_API aclnnStatus aclnnInplaceFloorDividesGetWorkspaceSize(aclTensor* selfRef,
                                                               const aclScalar* other,
                                                               uint64_t* workspaceSize,
                                                               aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceFloorDivides(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FLOOR_DIVIDE_H_
