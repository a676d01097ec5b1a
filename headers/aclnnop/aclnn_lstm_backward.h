// aclnnLstmBackward
//
// Gradients of a long short-term memory network.
#ifndef PYACLNN_ACLNNOP_ACLNN_LSTM_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_LSTM_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnLstmBackwardGetWorkspaceSize(
    const aclTensor* input, const aclTensorList* hx, const aclTensorList* params,
    const aclTensor* dy, const aclTensor* dh, const aclTensor* dc, const aclTensorList* i,
    const aclTensorList* g, const aclTensorList* f, const aclTensorList* o, const aclTensorList* h,
    const aclTensorList* c, const aclTensorList* tanhc, const aclTensor* batchSizesOptional,
    bool hasBias, int64_t numLayers, double dropout, bool train, bool bidirectional,
    bool batchFirst, const aclBoolArray* outputMask, aclTensor* dxOut, aclTensor* dhPrevOut,
    aclTensor* dcPrevOut, aclTensorList* dparamsOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnLstmBackward(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_LSTM_BACKWARD_H_
