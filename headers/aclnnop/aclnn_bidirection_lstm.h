// aclnnBidirectionLSTM
//
// A long short-term memory network run over a sequence in both directions.
#ifndef PYACLNN_ACLNNOP_ACLNN_BIDIRECTION_LSTM_H_
#define PYACLNN_ACLNNOP_ACLNN_BIDIRECTION_LSTM_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnBidirectionLSTMGetWorkspaceSize(
    const aclTensor* x, const aclTensor* initH, const aclTensor* initC, const aclTensor* wIh,
    const aclTensor* wHh, const aclTensor* bIhOptional, const aclTensor* bHhOptional,
    const aclTensor* wIhReverseOptional, const aclTensor* wHhReverseOptional,
    const aclTensor* bIhReverseOptional, const aclTensor* bHhReverseOptional, int64_t numLayers,
    bool isbias, bool batchFirst, bool bidirection, const aclTensor* yOut,
    const aclTensor* outputHOut, const aclTensor* outputCOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnBidirectionLSTM(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_BIDIRECTION_LSTM_H_
