// aclnnChunkGatedDeltaRule
//
// The gated delta rule of linear attention, in chunks of the sequence; the state is updated. Since
// CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_CHUNK_GATED_DELTA_RULE_H_
#define PYACLNN_ACLNNOP_ACLNN_CHUNK_GATED_DELTA_RULE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnChunkGatedDeltaRuleGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value, const aclTensor* beta,
    const aclTensor* initialState, const aclTensor* actualSeqLengths, const aclTensor* gOptional,
    float scaleValue, const aclTensor* out, const aclTensor* finalState, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnChunkGatedDeltaRule(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CHUNK_GATED_DELTA_RULE_H_
