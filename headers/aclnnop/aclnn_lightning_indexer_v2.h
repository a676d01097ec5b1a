// aclnnLightningIndexerV2
//
// The keys of largest index score for each query: weighted sums of rectified products over heads.
// Version 2 of its interface. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_LIGHTNING_INDEXER_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_LIGHTNING_INDEXER_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnLightningIndexerV2GetWorkspaceSize(
    const aclTensor* q, const aclTensor* k, const aclTensor* w, const aclTensor* cuSeqlensQOptional,
    const aclTensor* cuSeqlensKOptional, const aclTensor* sequsedQOptional,
    const aclTensor* sequsedKOptional, const aclTensor* cmpResidualKOptional,
    const aclTensor* blockTableOptional, const aclTensor* outputIdxOffsetOptional,
    const aclTensor* metadataOptional, int64_t topk, int64_t maxSeqlenQ, char* layoutQ,
    char* layoutK, int64_t maskMode, int64_t cmpRatio, int64_t returnValue,
    const aclTensor* sparseIndices, const aclTensor* sparseValues, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnLightningIndexerV2(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_LIGHTNING_INDEXER_V2_H_
