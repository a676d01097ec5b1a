// aclnnRecurrentGatedDeltaRule
//
// One step of linear attention for each token: the state of a head fades by the gate, takes in the
// value where it differs from what the key recalls, and is read by the query.
//
// Formula: S = a S' + beta (v - a S' k) k^T,  out = scale S q,  a = exp(g) diag(exp(gk))
//
// Data types: bfloat16; g and gk float32; sequence lengths, state indices and accepted tokens
// int32.
#ifndef PYACLNN_ACLNNOP_ACLNN_RECURRENT_GATED_DELTA_RULE_H_
#define PYACLNN_ACLNNOP_ACLNN_RECURRENT_GATED_DELTA_RULE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnRecurrentGatedDeltaRuleGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value, const aclTensor* beta,
    aclTensor* stateRef, const aclTensor* actualSeqLengths, const aclTensor* ssmStateIndices,
    const aclTensor* g, const aclTensor* gk, const aclTensor* numAcceptedTokens, float scaleValue,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnRecurrentGatedDeltaRule(void* workspace, uint64_t workspaceSize,
                                                   aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_RECURRENT_GATED_DELTA_RULE_H_
