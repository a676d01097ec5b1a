// aclnnFFNToAttention
//
// Sends tokens from the workers of the feed-forward network back to those of attention. Since CANN
// 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_FFN_TO_ATTENTION_H_
#define PYACLNN_ACLNNOP_ACLNN_FFN_TO_ATTENTION_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnFFNToAttentionGetWorkspaceSize(
    const aclTensor* x, const aclTensor* sessionIds, const aclTensor* microBatchIds,
    const aclTensor* tokenIds, const aclTensor* expertOffsets, const aclTensor* actualTokenNum,
    const aclTensor* attnRankTable, const char* group, int64_t worldSize,
    const aclIntArray* tokenInfoTableShape, const aclIntArray* tokenDataShape,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnFFNToAttention(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FFN_TO_ATTENTION_H_
