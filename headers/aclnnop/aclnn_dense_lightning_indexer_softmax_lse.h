// aclnnDenseLightningIndexerSoftmaxLse
//
// Maximum and sum of the powers of the indexer's scores over all keys. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_DENSE_LIGHTNING_INDEXER_SOFTMAX_LSE_H_
#define PYACLNN_ACLNNOP_ACLNN_DENSE_LIGHTNING_INDEXER_SOFTMAX_LSE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnDenseLightningIndexerSoftmaxLseGetWorkspaceSize(
    const aclTensor* queryIndex, const aclTensor* keyIndex, const aclTensor* weight,
    const aclIntArray* actualSeqLengthsQueryOptional,
    const aclIntArray* actualSeqLengthsKeyOptional, char* layoutOptional, int64_t sparseMode,
    int64_t preTokens, int64_t nextTokens, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnDenseLightningIndexerSoftmaxLse(void* workspace, uint64_t workspaceSize,
                                                           aclOpExecutor* executor,
                                                           const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_DENSE_LIGHTNING_INDEXER_SOFTMAX_LSE_H_
