// aclnnTopKTopPSample
//
// Draws a token for each row from the logits that top-k and top-p leave.
#ifndef PYACLNN_ACLNNOP_ACLNN_TOP_K_TOP_P_SAMPLE_H_
#define PYACLNN_ACLNNOP_ACLNN_TOP_K_TOP_P_SAMPLE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnTopKTopPSampleGetWorkspaceSize(
    const aclTensor* logits, const aclTensor* topK, const aclTensor* topP, const aclTensor* q,
    double eps, bool isNeedLogits, int64_t topKGuess, const aclTensor* logitsSelectIdx,
    const aclTensor* logitsTopKPSelect, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnTopKTopPSample(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_TOP_K_TOP_P_SAMPLE_H_
