// aclnnApplyAdamWQuant
//
// One step of AdamW whose moments are stored in 8 bits, in blocks with a scale each.
#ifndef PYACLNN_ACLNNOP_ACLNN_APPLY_ADAM_W_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_APPLY_ADAM_W_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnApplyAdamWQuantGetWorkspaceSize(
    aclTensor* varRef, const aclTensor* grad, aclTensor* mRef, aclTensor* vRef,
    const aclTensor* qmapM, const aclTensor* qmapV, aclTensor* absmaxMRef, aclTensor* absmaxVRef,
    const aclTensor* step, double lr, double beta1, double beta2, double weightDecay, double eps,
    double gnormScale, char* quantModeOptional, int64_t blockSize, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnApplyAdamWQuant(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_APPLY_ADAM_W_QUANT_H_
