// aclnnMhcPreBackward
//
// The gradients of MhcPre. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_MHC_PRE_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_MHC_PRE_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMhcPreBackwardGetWorkspaceSize(
    const aclTensor* x, const aclTensor* phi, const aclTensor* alpha, const aclTensor* gradHIn,
    const aclTensor* gradHPost, const aclTensor* gradHRes, const aclTensor* invRms,
    const aclTensor* hMix, const aclTensor* hPre, const aclTensor* hPost, const aclTensor* gamma,
    const aclTensor* gradXPostOptional, float hcEps, const aclTensor* gradX,
    const aclTensor* gradPhi, const aclTensor* gradAlpha, const aclTensor* gradBias,
    const aclTensor* gradGamma, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMhcPreBackward(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MHC_PRE_BACKWARD_H_
