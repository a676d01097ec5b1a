// aclnnGRU
//
// A gated recurrent network over a sequence, in one or several layers.
#ifndef PYACLNN_ACLNNOP_ACLNN_GRU_H_
#define PYACLNN_ACLNNOP_ACLNN_GRU_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnGRUGetWorkspaceSize(
    const aclTensor* input, const aclTensorList* params, const aclTensor* hx,
    const aclTensor* batchSizes, bool hasBias, int64_t numLayers, double dropout, bool train,
    bool bidirection, bool batchFirst, aclTensor* output, aclTensor* hy, aclTensorList* rOut,
    aclTensorList* zOut, aclTensorList* nOut, aclTensorList* hnOut, aclTensorList* hOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnGRU(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GRU_H_
