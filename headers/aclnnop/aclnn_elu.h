#ifndef PYACLNN_ACLNNOP_ACLNN_ELU_H_
#define PYACLNN_ACLNNOP_ACLNN_ELU_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnElu
//
// out = scale * self where self is positive, and scale * alpha * (exp(self * inputScale) - 1)
// elsewhere.
ACLNN_API aclnnStatus aclnnEluGetWorkspaceSize(const aclTensor* self, const aclScalar* alpha,
                                               const aclScalar* scale, const aclScalar* inputScale,
                                               aclTensor* out, uint64_t* workspaceSize,
                                               aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnElu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream);

// aclnnInplaceElu
//
// selfRef = scale * selfRef where selfRef is positive, and scale * alpha * (exp(selfRef *
// inputScale) - 1) elsewhere, in place.
ACLNN_API aclnnStatus aclnnInplaceEluGetWorkspaceSize(aclTensor* selfRef, const aclScalar* alpha,
                                                      const aclScalar* scale,
                                                      const aclScalar* inputScale,
                                                      uint64_t* workspaceSize,
                                                      aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceElu(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ELU_H_
