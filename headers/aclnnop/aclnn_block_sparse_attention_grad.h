// aclnnBlockSparseAttentionGrad
//
// The gradients of attention over selected blocks of keys. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_BLOCK_SPARSE_ATTENTION_GRAD_H_
#define PYACLNN_ACLNNOP_ACLNN_BLOCK_SPARSE_ATTENTION_GRAD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnBlockSparseAttentionGradGetWorkspaceSize(
    const aclTensor* dout, const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* attentionOut, const aclTensor* softmaxLse,
    const aclTensor* blockSparseMaskOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* blockShapeOptional, const aclIntArray* actualSeqLengthsOptional,
    const aclIntArray* actualSeqLengthsKvOptional, char* qInputLayout, char* kvInputLayout,
    int64_t numKeyValueHeads, int64_t maskType, double scaleValue, int64_t preTokens,
    int64_t nextTokens, aclTensor* dq, aclTensor* dk, aclTensor* dv, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnBlockSparseAttentionGrad(void* workspace, uint64_t workspaceSize,
                                                    aclOpExecutor* executor,
                                                    const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_BLOCK_SPARSE_ATTENTION_GRAD_H_
