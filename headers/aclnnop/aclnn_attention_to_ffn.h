// aclnnAttentionToFFN
//
// Sends tokens from the workers of attention to those of the feed-forward network. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_ATTENTION_TO_FFN_H_
#define PYACLNN_ACLNNOP_ACLNN_ATTENTION_TO_FFN_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnAttentionToFFNGetWorkspaceSize(
    const aclTensor* x, const aclTensor* sessionId, const aclTensor* microBatchId,
    const aclTensor* layerId, const aclTensor* expertIds, const aclTensor* expertRankTable,
    const aclTensor* scales, const aclTensor* activeMask, const char* group, int64_t worldSize,
    const aclIntArray* ffnTokenInfoTableShape, const aclIntArray* ffnTokenDataShape,
    const aclIntArray* attnTokenInfoTableShape, int64_t moeExpertNum, int64_t quantMode,
    int64_t syncFlag, int64_t ffnStartRankId, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnAttentionToFFN(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ATTENTION_TO_FFN_H_
