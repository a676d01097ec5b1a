// aclnnFusedFloydAttention
//
// Attention that adds two kinds of scores, over rows and columns of pairs, before one softmax.
// Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_FUSED_FLOYD_ATTENTION_H_
#define PYACLNN_ACLNNOP_ACLNN_FUSED_FLOYD_ATTENTION_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnFusedFloydAttentionGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key1, const aclTensor* value1, const aclTensor* key2,
    const aclTensor* value2, const aclTensor* attenMaskOptional, double scaleValueOptional,
    const aclTensor* softmaxMaxOut, const aclTensor* softmaxSumOut,
    const aclTensor* attentionOutOut, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnFusedFloydAttention(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FUSED_FLOYD_ATTENTION_H_
