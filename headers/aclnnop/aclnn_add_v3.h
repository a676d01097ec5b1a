#ifndef PYACLNN_ACLNNOP_ACLNN_ADD_V3_H_
#define PYACLNN_ACLNNOP_ACLNN_ADD_V3_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAddV3
//
// out = self + alpha * other, where self is a scalar.
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAddV3GetWorkspaceSize(const aclScalar* self, const aclTensor* other,
                                                 const aclScalar* alpha, aclTensor* out,
                                                 uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAddV3(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream);

// aclnnInplaceAddV3
//
// other = selfRef + alpha * other, where selfRef is a scalar.
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnInplaceAddV3GetWorkspaceSize(const aclScalar* selfRef,
                                                        const aclTensor* other,
                                                        const aclScalar* alpha,
                                                        uint64_t* workspaceSize,
                                                        aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnInplaceAddV3(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ADD_V3_H_
