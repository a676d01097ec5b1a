// aclnnSparseFlashAttention
//
// Attention over the keys that indices select for each query. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_SPARSE_FLASH_ATTENTION_H_
#define PYACLNN_ACLNNOP_ACLNN_SPARSE_FLASH_ATTENTION_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnSparseFlashAttentionGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* sparseIndices, const aclTensor* blockTableOptional,
    const aclTensor* actualSeqLengthsQueryOptional, const aclTensor* actualSeqLengthsKvOptional,
    const aclTensor* queryRopeOptional, const aclTensor* keyRopeOptional, double scaleValue,
    int64_t sparseBlockSizeOptional, char* layoutQueryOptional, char* layoutKvOptional,
    int64_t sparseMode, int64_t preTokens, int64_t nextTokens, int64_t attentionMode,
    bool returnSoftmaxLse, const aclTensor* attentionOut, const aclTensor* softmaxMax,
    const aclTensor* softmaxSum, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSparseFlashAttention(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SPARSE_FLASH_ATTENTION_H_
