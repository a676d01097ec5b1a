// aclnnLightningIndexerGrad
//
// The gradients of the scores that LightningIndexer chooses by. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_LIGHTNING_INDEXER_GRAD_H_
#define PYACLNN_ACLNNOP_ACLNN_LIGHTNING_INDEXER_GRAD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnLightningIndexerGradGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* dy,
    const aclTensor* sparseIndices, const aclTensor* weights,
    const aclTensor* actualSeqQLenOptional, const aclTensor* actualSeqKvLenOptional,
    int64_t headNum, char* inputLayout, int64_t sparseMode, int64_t preTokens, int64_t nextTokens,
    bool deterministic, const aclTensor* dqOut, const aclTensor* dkOut,
    const aclTensor* dweightsOut, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnLightningIndexerGrad(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_LIGHTNING_INDEXER_GRAD_H_
