// aclnnCdist
//
// Distances between all pairs of rows of x1 and x2, in the p-norm.
#ifndef PYACLNN_ACLNNOP_ACLNN_CDIST_H_
#define PYACLNN_ACLNNOP_ACLNN_CDIST_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnCdistGetWorkspaceSize(const aclTensor* x1, const aclTensor* x2, float p,
                                                 int64_t compute_mode, aclTensor* out,
                                                 uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnCdist(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CDIST_H_
