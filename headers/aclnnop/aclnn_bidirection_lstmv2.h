// aclnnBidirectionLSTMV2
//
// A long short-term memory network run over a sequence in both directions. Version 2 of its
// interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_BIDIRECTION_LSTMV2_H_
#define PYACLNN_ACLNNOP_ACLNN_BIDIRECTION_LSTMV2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnBidirectionLSTMV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* initH, const aclTensor* initC, const aclTensor* wIh,
    const aclTensor* wHh, const aclTensor* bIhOptional, const aclTensor* bHhOptional,
    const aclTensor* wIhReverseOptional, const aclTensor* wHhReverseOptional,
    const aclTensor* bIhReverseOptional, const aclTensor* bHhReverseOptional,
    const aclTensor* batchSizeOptional, int64_t numLayers, bool isbias, bool batchFirst,
    bool bidirection, bool packed, const aclTensor* yOut, const aclTensor* outputHOut,
    const aclTensor* outputCOut, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnBidirectionLSTMV2(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_BIDIRECTION_LSTMV2_H_
