// aclnnMhcPreSinkhorn
//
// MhcPre with the mixing matrix made doubly stochastic. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_MHC_PRE_SINKHORN_H_
#define PYACLNN_ACLNNOP_ACLNN_MHC_PRE_SINKHORN_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMhcPreSinkhornGetWorkspaceSize(
    const aclTensor* x, const aclTensor* phi, const aclTensor* alpha, const aclTensor* bias,
    int64_t hcMult, int64_t numIters, double hcEps, double normEps, bool needBackward,
    aclTensor* hin, aclTensor* hPost, aclTensor* hRes, aclTensor* hPre, aclTensor* hcBeforeNorm,
    aclTensor* invRms, aclTensor* sumOut, aclTensor* normOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMhcPreSinkhorn(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MHC_PRE_SINKHORN_H_
