// aclnnApplyAdam
//
// One step of the Adam optimiser, with tensors for its parameters.
#ifndef PYACLNN_ACLNNOP_ACLNN_APPLY_ADAM_H_
#define PYACLNN_ACLNNOP_ACLNN_APPLY_ADAM_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnApplyAdamGetWorkspaceSize(
    aclTensor* varRef, const aclTensor* m, const aclTensor* v, const aclTensor* beta1Power,
    const aclTensor* beta2Power, const aclTensor* lr, const aclTensor* beta1,
    const aclTensor* beta2, const aclTensor* epsilon, const aclTensor* grad, bool useLocking,
    bool useNesterov, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnApplyAdam(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_APPLY_ADAM_H_
