// aclnnMoeReRouting
//
// Tokens that came rank by rank, put in the order of the experts that they are for.
#ifndef PYACLNN_ACLNNOP_ACLNN_MOE_RE_ROUTING_H_
#define PYACLNN_ACLNNOP_ACLNN_MOE_RE_ROUTING_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMoeReRoutingGetWorkspaceSize(
    const aclTensor* tokens, const aclTensor* expertTokenNumPerRank,
    const aclTensor* perTokenScalesOptional, int64_t expertTokenNumType, int64_t idxType,
    const aclTensor* permuteTokensOut, const aclTensor* permutePerTokenScalesOut,
    const aclTensor* permuteTokenIdxOut, const aclTensor* expertTokenNumOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMoeReRouting(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MOE_RE_ROUTING_H_
