// aclnnLightningIndexer
//
// The keys of largest index score for each query: weighted sums of rectified products over heads.
// Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_LIGHTNING_INDEXER_H_
#define PYACLNN_ACLNNOP_ACLNN_LIGHTNING_INDEXER_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnLightningIndexerGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* weights,
    const aclTensor* actualSeqLengthsQueryOptional, const aclTensor* actualSeqLengthsKeyOptional,
    const aclTensor* blockTableOptional, char* layoutQueryOptional, char* layoutKeyOptional,
    int64_t sparseCount, int64_t sparseMode, int64_t preTokens, int64_t nextTokens,
    bool returnValues, const aclTensor* sparseIndicesOut, const aclTensor* sparseValuesOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnLightningIndexer(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_LIGHTNING_INDEXER_H_
