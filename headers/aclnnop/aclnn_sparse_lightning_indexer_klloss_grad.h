// aclnnSparseLightningIndexerKLLossGrad
//
// The gradients of the indexer's divergence over the keys it chose. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_SPARSE_LIGHTNING_INDEXER_KLLOSS_GRAD_H_
#define PYACLNN_ACLNNOP_ACLNN_SPARSE_LIGHTNING_INDEXER_KLLOSS_GRAD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnSparseLightningIndexerKLLossGradGetWorkspaceSize(
    const aclTensor* q, const aclTensor* k, const aclTensor* w, const aclTensor* sparseIndices,
    const aclTensor* attnSoftmaxL1Norm, const aclTensor* cuSeqLensQOptional,
    const aclTensor* cuSeqLensKOptional, const aclTensor* seqUsedQOptional,
    const aclTensor* seqUsedKOptional, const aclTensor* cmpResidualKOptional,
    const aclTensor* metadataOptional, char* layoutQ, char* layoutK, int64_t maskMode,
    int64_t cmpRatio, const aclTensor* dq, const aclTensor* dk, const aclTensor* dw,
    const aclTensor* softmaxOut, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSparseLightningIndexerKLLossGrad(void* workspace, uint64_t workspaceSize,
                                                            aclOpExecutor* executor,
                                                            const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SPARSE_LIGHTNING_INDEXER_KLLOSS_GRAD_H_
