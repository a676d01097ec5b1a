// aclnnCrossEntropySumExpAndIndexLogit
//
// The parts of a cross entropy over a vocabulary that is split between devices.
#ifndef PYACLNN_ACLNNOP_ACLNN_CROSS_ENTROPY_SUM_EXP_AND_INDEX_LOGIT_H_
#define PYACLNN_ACLNNOP_ACLNN_CROSS_ENTROPY_SUM_EXP_AND_INDEX_LOGIT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnCrossEntropySumExpAndIndexLogitGetWorkspaceSize(
    const aclTensor* vocabParallelLogits, const aclTensor* target, const aclTensor* globalLogitsMax,
    int64_t vocabStartIndex, int64_t vocabEndIndex, const aclTensor* predictedLogitsOut,
    const aclTensor* sumExpLogitsOut, const aclTensor* expLogitsOut,
    const aclTensor* targetOffsetOut, const aclTensor* targetMaskOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnCrossEntropySumExpAndIndexLogit(void* workspace, uint64_t workspaceSize,
                                                           aclOpExecutor* executor,
                                                           aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CROSS_ENTROPY_SUM_EXP_AND_INDEX_LOGIT_H_
