// aclnnSparseLightningIndexerKLLossGradMetadata
//
// How SparseLightningIndexerKLLossGrad divides its work, from the lengths of the sequences. Since
// CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_SPARSE_LIGHTNING_INDEXER_KL_LOSS_GRAD_METADATA_H_
#define PYACLNN_ACLNNOP_ACLNN_SPARSE_LIGHTNING_INDEXER_KL_LOSS_GRAD_METADATA_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnSparseLightningIndexerKLLossGradMetadataGetWorkspaceSize(
    const aclTensor* cuSeqLensQOptional, const aclTensor* cuSeqLensKOptional,
    const aclTensor* seqUsedQOptional, const aclTensor* seqUsedKOptional,
    const aclTensor* cmpResidualKOptional, int64_t batchSize, int64_t maxSeqLenQ,
    int64_t maxSeqLenK, int64_t numHeadsQ, int64_t numHeadsK, int64_t headDim, int64_t topk,
    char* layoutQ, char* layoutK, int64_t maskMode, int64_t cmpRatio, const aclTensor* metadata,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSparseLightningIndexerKLLossGradMetadata(void* workspace,
                                                                    uint64_t workspaceSize,
                                                                    aclOpExecutor* executor,
                                                                    const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SPARSE_LIGHTNING_INDEXER_KL_LOSS_GRAD_METADATA_H_
