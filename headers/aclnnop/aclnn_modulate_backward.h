// aclnnModulateBackward
//
// Gradients of input * (1 + scale) + shift.
#ifndef PYACLNN_ACLNNOP_ACLNN_MODULATE_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_MODULATE_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnModulateBackwardGetWorkspaceSize(
    const aclTensor* grad_output, const aclTensor* input, const aclTensor* scale,
    const aclTensor* shift, const aclTensor* grad_input, const aclTensor* grad_scale,
    const aclTensor* grad_shift, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnModulateBackward(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MODULATE_BACKWARD_H_
