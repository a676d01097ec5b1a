// aclnnSituGluGrad
//
// Gradient of the gated activation SiTU.
#ifndef PYACLNN_ACLNNOP_ACLNN_SITU_GLU_GRAD_H_
#define PYACLNN_ACLNNOP_ACLNN_SITU_GLU_GRAD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSituGluGradGetWorkspaceSize(const aclTensor* gradY, const aclTensor* x,
                                                       int64_t dim, double beta, double linearBeta,
                                                       bool activateLeft, const aclTensor* out,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSituGluGrad(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SITU_GLU_GRAD_H_
