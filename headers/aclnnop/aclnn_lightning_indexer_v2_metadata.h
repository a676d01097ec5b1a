// aclnnLightningIndexerV2Metadata
//
// How LightningIndexerV2 divides its work, from the lengths of the sequences. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_LIGHTNING_INDEXER_V2_METADATA_H_
#define PYACLNN_ACLNNOP_ACLNN_LIGHTNING_INDEXER_V2_METADATA_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnLightningIndexerV2MetadataGetWorkspaceSize(
    const aclTensor* cuSeqlensQOptional, const aclTensor* cuSeqlensKOptional,
    const aclTensor* sequsedQOptional, const aclTensor* sequsedKOptional,
    const aclTensor* cmpResidualKOptional, int64_t numHeadsQ, int64_t numHeadsK, int64_t headDim,
    int64_t topk, int64_t batchSize, int64_t maxSeqlenQ, int64_t maxSeqlenK, char* layoutQOptional,
    char* layoutKOptional, int64_t maskMode, int64_t cmpRatio, const aclTensor* metaData,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnLightningIndexerV2Metadata(void* workspace, uint64_t workspaceSize,
                                                      aclOpExecutor* executor,
                                                      const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_LIGHTNING_INDEXER_V2_METADATA_H_
