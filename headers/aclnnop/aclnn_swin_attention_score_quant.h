// aclnnSwinAttentionScoreQuant
//
// The attention of a Swin transformer on quantised operands.
#ifndef PYACLNN_ACLNNOP_ACLNN_SWIN_ATTENTION_SCORE_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_SWIN_ATTENTION_SCORE_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Only in CANN 8.1.
ACLNN_API aclnnStatus aclnnSwinAttentionScoreQuantGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* scaleQuant, const aclTensor* scaleDequant1, const aclTensor* scaleDequant2,
    const aclTensor* biasQuantOptional, const aclTensor* biasDequant1Optional,
    const aclTensor* biasDequant2Optional, const aclTensor* paddingMask1Optional,
    const aclTensor* paddingMask2Optional, bool queryTranspose, bool keyTranspose,
    bool valueTranspose, int64_t softmaxAxes, const aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Only in CANN 8.1.
ACLNN_API aclnnStatus aclnnSwinAttentionScoreQuant(void* workspace, uint64_t workspaceSize,
                                                   aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SWIN_ATTENTION_SCORE_QUANT_H_
