// aclnnPdistForward
//
// Distances between all pairs of different rows, in the p-norm.
#ifndef PYACLNN_ACLNNOP_ACLNN_PDIST_FORWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_PDIST_FORWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnPdistForwardGetWorkspaceSize(const aclTensor* self,
                                                        const aclScalar* pScalar, aclTensor* out,
                                                        uint64_t* workspaceSize,
                                                        aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnPdistForward(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_PDIST_FORWARD_H_
