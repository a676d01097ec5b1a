// aclnnMhcPreSinkhornBackward
//
// The gradients of MhcPreSinkhorn. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_MHC_PRE_SINKHORN_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_MHC_PRE_SINKHORN_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMhcPreSinkhornBackwardGetWorkspaceSize(
    const aclTensor* gradHin, const aclTensor* gradHPost, const aclTensor* gradHRes,
    const aclTensor* x, const aclTensor* phi, const aclTensor* alpha, const aclTensor* bias,
    const aclTensor* hPre, const aclTensor* hcBeforeNorm, const aclTensor* invRms,
    const aclTensor* sumOut, const aclTensor* normOut, double hcEps, const aclTensor* gradX,
    const aclTensor* gradPhi, const aclTensor* gradAlpha, const aclTensor* gradBias,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMhcPreSinkhornBackward(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor,
                                                  const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MHC_PRE_SINKHORN_BACKWARD_H_
