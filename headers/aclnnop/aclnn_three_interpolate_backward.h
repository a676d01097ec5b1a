// aclnnThreeInterpolateBackward
//
// Gradient of interpolating features from three neighbours.
#ifndef PYACLNN_ACLNNOP_ACLNN_THREE_INTERPOLATE_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_THREE_INTERPOLATE_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnThreeInterpolateBackwardGetWorkspaceSize(
    const aclTensor* grad_x, const aclTensor* idx, const aclTensor* weight, int m,
    aclTensor* grad_y, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnThreeInterpolateBackward(void* workspace, uint64_t workspace_size,
                                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_THREE_INTERPOLATE_BACKWARD_H_
