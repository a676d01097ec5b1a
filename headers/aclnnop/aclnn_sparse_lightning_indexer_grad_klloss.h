// aclnnSparseLightningIndexerGradKLLoss
//
// The gradients of the indexer's divergence from attention over the keys it chose, and the loss.
// Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_SPARSE_LIGHTNING_INDEXER_GRAD_KLLOSS_H_
#define PYACLNN_ACLNNOP_ACLNN_SPARSE_LIGHTNING_INDEXER_GRAD_KLLOSS_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnSparseLightningIndexerGradKLLossGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* queryIndex,
    const aclTensor* keyIndex, const aclTensor* weights, const aclTensor* sparseIndices,
    const aclTensor* softmaxMax, const aclTensor* softmaxSum, const aclTensor* queryRope,
    const aclTensor* keyRope, const aclIntArray* actualSeqLengthsQuery,
    const aclIntArray* actualSeqLengthsKey, double scaleValue, char* layout, int64_t sparseMode,
    int64_t pre_tokens, int64_t next_tokens, bool deterministic, const aclTensor* dQueryIndex,
    const aclTensor* dKeyIndex, const aclTensor* dWeights, const aclTensor* loss,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSparseLightningIndexerGradKLLoss(void* workspace, uint64_t workspaceSize,
                                                            aclOpExecutor* executor,
                                                            const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SPARSE_LIGHTNING_INDEXER_GRAD_KLLOSS_H_
