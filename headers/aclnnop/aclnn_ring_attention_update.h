// aclnnRingAttentionUpdate
//
// Joins the attention results of two parts of the keys by their maxima and sums.
#ifndef PYACLNN_ACLNNOP_ACLNN_RING_ATTENTION_UPDATE_H_
#define PYACLNN_ACLNNOP_ACLNN_RING_ATTENTION_UPDATE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Only in CANN 8.1.
ACLNN_API aclnnStatus aclnnRingAttentionUpdateGetWorkspaceSize(
    const aclTensor* prevAttnOut, const aclTensor* prevSoftmaxMax, const aclTensor* prevSoftmaxSum,
    const aclTensor* curAttnOut, const aclTensor* curSoftmaxMax, const aclTensor* curSoftmaxSum,
    const aclTensor* actualSeqQlenOptional, char* inputLayoutOptional, const aclTensor* attnOutOut,
    const aclTensor* softmaxMaxOut, const aclTensor* softmaxSumOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Only in CANN 8.1.
ACLNN_API aclnnStatus aclnnRingAttentionUpdate(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

// aclnnRingAttentionUpdateV2
//
// aclnnRingAttentionUpdate for sequences of different lengths in either layout of the statistics.
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRingAttentionUpdateV2GetWorkspaceSize(
    const aclTensor* prevAttnOut, const aclTensor* prevSoftmaxMax, const aclTensor* prevSoftmaxSum,
    const aclTensor* curAttnOut, const aclTensor* curSoftmaxMax, const aclTensor* curSoftmaxSum,
    const aclTensor* actualSeqQlenOptional, char* inputLayoutOptional,
    char* inputSoftmaxLayoutOptional, const aclTensor* attnOutOut, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnRingAttentionUpdateV2(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_RING_ATTENTION_UPDATE_H_
