// aclnnQuantLightningIndexer
//
// LightningIndexer of quantised queries and keys. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_QUANT_LIGHTNING_INDEXER_H_
#define PYACLNN_ACLNNOP_ACLNN_QUANT_LIGHTNING_INDEXER_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnQuantLightningIndexerGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* weights,
    const aclTensor* queryDequantScale, const aclTensor* keyDequantScale,
    const aclTensor* actualSeqLengthsQueryOptional, const aclTensor* actualSeqLengthsKeyOptional,
    const aclTensor* blockTableOptional, int64_t queryQuantMode, int64_t keyQuantMode,
    char* layoutQueryOptional, char* layoutKeyOptional, int64_t sparseCount, int64_t sparseMode,
    int64_t preTokens, int64_t nextTokens, const aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnQuantLightningIndexer(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_QUANT_LIGHTNING_INDEXER_H_
