// aclnnSinkhorn
//
// p = matrix scaled so that its rows and columns have equal sums.
#ifndef PYACLNN_ACLNNOP_ACLNN_SINKHORN_H_
#define PYACLNN_ACLNNOP_ACLNN_SINKHORN_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnSinkhornGetWorkspaceSize(const aclTensor* cost, const aclScalar* tol,
                                                    aclTensor* p, uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSinkhorn(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SINKHORN_H_
