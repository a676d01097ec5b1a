#ifndef PYACLNN_ACLNNOP_ACLNN_X_LOG_Y_SCALAR_OTHER_H_
#define PYACLNN_ACLNNOP_ACLNN_X_LOG_Y_SCALAR_OTHER_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnInplaceXLogYScalarOther
//
// selfRef = selfRef * log(other), and 0 where selfRef is 0; other is a scalar, in place.
ACLNN_API aclnnStatus aclnnInplaceXLogYScalarOtherGetWorkspaceSize(aclTensor* selfRef,
                                                                   const aclScalar* other,
                                                                   uint64_t* workspaceSize,
                                                                   aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceXLogYScalarOther(void* workspace, uint64_t workspaceSize,
                                                   aclOpExecutor* executor, aclrtStream stream);

// aclnnXLogYScalarOther
//
// out = self * log(other), and 0 where self is 0; other is a scalar.
ACLNN_API aclnnStatus aclnnXLogYScalarOtherGetWorkspaceSize(const aclTensor* self,
                                                            const aclScalar* other, aclTensor* out,
                                                            uint64_t* workspaceSize,
                                                            aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnXLogYScalarOther(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_X_LOG_Y_SCALAR_OTHER_H_
