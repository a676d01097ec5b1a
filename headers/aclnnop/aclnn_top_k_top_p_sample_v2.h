// aclnnTopKTopPSampleV2
//
// Draws a token for each row from the logits that top-k and top-p leave. Version 2 of its
// interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_TOP_K_TOP_P_SAMPLE_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_TOP_K_TOP_P_SAMPLE_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnTopKTopPSampleV2GetWorkspaceSize(
    const aclTensor* logits, const aclTensor* topK, const aclTensor* topP, const aclTensor* q,
    const aclTensor* minPs, double eps, bool isNeedLogits, int64_t topKGuess, int64_t ksMax,
    bool inputIsLogits, bool isNeedSampleResult, const aclTensor* logitsSelectIdx,
    const aclTensor* logitsTopKPSelect, const aclTensor* logitsIdx,
    const aclTensor* logitsSortMasked, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnTopKTopPSampleV2(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_TOP_K_TOP_P_SAMPLE_V2_H_
