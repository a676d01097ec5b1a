// aclnnGRUBackward
//
// Gradients of a gated recurrent network.
#ifndef PYACLNN_ACLNNOP_ACLNN_GRU_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_GRU_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnGRUBackwardGetWorkspaceSize(
    const aclTensor* input, const aclTensorList* params, const aclTensor* hx, const aclTensor* dy,
    const aclTensor* dh, const aclTensorList* r, const aclTensorList* z, const aclTensorList* n,
    const aclTensorList* hn, const aclTensorList* h, const aclTensor* batchSizes, bool hasBias,
    int64_t numLayers, bool bidirection, bool batchFirst, aclTensor* dxOut, aclTensor* dhPrevOut,
    aclTensorList* dparamsOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnGRUBackward(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GRU_BACKWARD_H_
