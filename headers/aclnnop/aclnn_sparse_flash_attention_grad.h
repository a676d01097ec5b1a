// aclnnSparseFlashAttentionGrad
//
// The gradients of SparseFlashAttention. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_SPARSE_FLASH_ATTENTION_GRAD_H_
#define PYACLNN_ACLNNOP_ACLNN_SPARSE_FLASH_ATTENTION_GRAD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnSparseFlashAttentionGradGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* sparseIndices, const aclTensor* dOut, const aclTensor* out,
    const aclTensor* softmaxMax, const aclTensor* softmaxSum,
    const aclTensor* actualSeqLengthsQueryOptional, const aclTensor* actualSeqLengthsKvOptional,
    const aclTensor* queryRopeOptional, const aclTensor* keyRopeOptional, double scaleValue,
    int64_t sparseBlockSize, char* layoutOptional, int64_t sparseMode, int64_t preTokens,
    int64_t nextTokens, bool deterministic, const aclTensor* dQueryOut, const aclTensor* dKeyOut,
    const aclTensor* dValueOut, const aclTensor* dQueryRopeOutOptional,
    const aclTensor* dKeyRopeOutOptional, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSparseFlashAttentionGrad(void* workspace, uint64_t workspaceSize,
                                                    aclOpExecutor* executor,
                                                    const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SPARSE_FLASH_ATTENTION_GRAD_H_
