// aclnnBlockSparseAttentionV2
//
// Attention over the blocks of keys that a mask of blocks selects for each block of queries.
// Version 2 of its interface. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_BLOCK_SPARSE_ATTENTION_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_BLOCK_SPARSE_ATTENTION_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnBlockSparseAttentionV2GetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* blockSparseMaskOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* blockShapeOptional, const aclIntArray* actualSeqLengthsOptional,
    const aclIntArray* actualSeqLengthsKvOptional, const aclTensor* blockTableOptional,
    const aclTensor* qDequantScaleOptional, const aclTensor* kDequantScaleOptional,
    const aclTensor* vDequantScaleOptional, char* qInputLayout, char* kvInputLayout,
    int64_t numKeyValueHeads, int64_t maskType, double scaleValue, int64_t innerPrecise,
    int64_t blockSize, int64_t preTokens, int64_t nextTokens, int64_t softmaxLseFlag,
    aclTensor* attentionOut, aclTensor* softmaxLseOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnBlockSparseAttentionV2(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor,
                                                  const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_BLOCK_SPARSE_ATTENTION_V2_H_
