// aclnnSoftplus
//
// out = log(1 + exp(beta * self)) / beta, and self above the threshold.
#ifndef PYACLNN_ACLNNOP_ACLNN_SOFTPLUS_H_
#define PYACLNN_ACLNNOP_ACLNN_SOFTPLUS_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnSoftplusGetWorkspaceSize(const aclTensor* self, const aclScalar* beta,
                                                    const aclScalar* threshold, aclTensor* out,
                                                    uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSoftplus(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SOFTPLUS_H_
