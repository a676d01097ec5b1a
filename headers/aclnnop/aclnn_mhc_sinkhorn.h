// aclnnMhcSinkhorn
//
// Rows and columns of square matrices divided by their sums in turn, until they are doubly
// stochastic. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_MHC_SINKHORN_H_
#define PYACLNN_ACLNNOP_ACLNN_MHC_SINKHORN_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMhcSinkhornGetWorkspaceSize(const aclTensor* x, float eps,
                                                       int64_t numIters, aclTensor* output,
                                                       aclTensor* normOut, aclTensor* sumOut,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMhcSinkhorn(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MHC_SINKHORN_H_
