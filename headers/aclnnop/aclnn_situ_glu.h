// aclnnSituGlu
//
// The gated activation SiTU: one half of x, activated, times the other.
#ifndef PYACLNN_ACLNNOP_ACLNN_SITU_GLU_H_
#define PYACLNN_ACLNNOP_ACLNN_SITU_GLU_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSituGluGetWorkspaceSize(const aclTensor* x, int64_t dim, double beta,
                                                   double linearBeta, bool activateLeft,
                                                   const aclTensor* out, uint64_t* workspaceSize,
                                                   aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSituGlu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SITU_GLU_H_
