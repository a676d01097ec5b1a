// aclnnFusedSgd
//
// One step of stochastic gradient descent with momentum for lists of tensors, in place.
#ifndef PYACLNN_ACLNNOP_ACLNN_FUSED_SGD_H_
#define PYACLNN_ACLNNOP_ACLNN_FUSED_SGD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnFusedSgdGetWorkspaceSize(
    const aclTensorList* paramsRef, const aclTensorList* gradsRef,
    const aclTensorList* momentumBufferListOptionalRef, const aclTensor* gradScaleOptional,
    float weightDecay, float momentum, float lr, float dampening, bool nesterov, bool maximize,
    bool isFirstStep, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnFusedSgd(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FUSED_SGD_H_
