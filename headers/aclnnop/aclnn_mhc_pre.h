// aclnnMhcPre
//
// What a hyper-connection reads from its streams: the weighted sum, and the weights that MhcPost
// takes. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_MHC_PRE_H_
#define PYACLNN_ACLNNOP_ACLNN_MHC_PRE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMhcPreGetWorkspaceSize(
    const aclTensor* x, const aclTensor* phi, const aclTensor* alpha, const aclTensor* bias,
    const aclTensor* gammaOptional, double normEps, double hcEps, aclTensor* hIn, aclTensor* hPost,
    aclTensor* hRes, aclTensor* invRmsOptional, aclTensor* hMixOptional, aclTensor* hPreOptional,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMhcPre(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MHC_PRE_H_
