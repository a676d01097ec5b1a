// aclnnRainFusionAttention
//
// Attention over selected blocks of keys, with one count of blocks for each block of queries. Since
// CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_RAIN_FUSION_ATTENTION_H_
#define PYACLNN_ACLNNOP_ACLNN_RAIN_FUSION_ATTENTION_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnRainFusionAttentionGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* selectIdx, const aclTensor* selectNumIdx, const aclIntArray* blockShape,
    const aclTensor* attenMaskOptional, const aclIntArray* actualSeqLengthsOptional,
    const aclIntArray* actualSeqLengthsKvOptional, const aclTensor* blockTableOptional,
    char* qInputLayout, char* kvInputLayout, int64_t numKeyValueHeads, int64_t maskType,
    double scaleValue, int64_t innerPrecise, int64_t blockSize, const aclTensor* attentionOut,
    const aclTensor* softmaxLseOptional, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnRainFusionAttention(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_RAIN_FUSION_ATTENTION_H_
