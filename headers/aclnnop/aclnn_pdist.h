// aclnnPdist
//
// Distances between all pairs of different rows, in the p-norm.
#ifndef PYACLNN_ACLNNOP_ACLNN_PDIST_H_
#define PYACLNN_ACLNNOP_ACLNN_PDIST_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnPdistGetWorkspaceSize(const aclTensor* self, float p, aclTensor* out,
                                                 uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnPdist(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_PDIST_H_
