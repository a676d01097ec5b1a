// aclnnMoeTokenUnpermuteWithEp
//
// Rows of experts back at their tokens, for the range of experts that a rank holds. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_WITH_EP_H_
#define PYACLNN_ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_WITH_EP_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMoeTokenUnpermuteWithEpGetWorkspaceSize(
    const aclTensor* permutedTokens, const aclTensor* sortedIndices, const aclTensor* probsOptional,
    int64_t numTopk, const aclIntArray* rangeOptional, bool paddedMode,
    const aclIntArray* restoreShapeOptional, const aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMoeTokenUnpermuteWithEp(void* workspace, uint64_t workspaceSize,
                                                   aclOpExecutor* executor,
                                                   const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_WITH_EP_H_
