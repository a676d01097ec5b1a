#ifndef PYACLNN_ACLNNOP_ACLNN_LEAKY_RELU_H_
#define PYACLNN_ACLNNOP_ACLNN_LEAKY_RELU_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnInplaceLeakyRelu
//
// selfRef = selfRef where it is positive, and negativeSlope * selfRef elsewhere, in place.
ACLNN_API aclnnStatus aclnnInplaceLeakyReluGetWorkspaceSize(aclTensor* selfRef,
                                                            const aclScalar* negativeSlope,
                                                            uint64_t* workspaceSize,
                                                            aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceLeakyRelu(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

// aclnnLeakyRelu
//
// out = self where it is positive, and negativeSlope * self elsewhere.
ACLNN_API aclnnStatus aclnnLeakyReluGetWorkspaceSize(const aclTensor* self,
                                                     const aclScalar* negativeSlope, aclTensor* out,
                                                     uint64_t* workspaceSize,
                                                     aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnLeakyRelu(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_LEAKY_RELU_H_
