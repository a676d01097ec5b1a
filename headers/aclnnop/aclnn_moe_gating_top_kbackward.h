// aclnnMoeGatingTopKBackward
//
// The gradient of MoeGatingTopK with respect to the scores. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_MOE_GATING_TOP_KBACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_MOE_GATING_TOP_KBACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMoeGatingTopKBackwardGetWorkspaceSize(
    const aclTensor* xNorm, const aclTensor* gradY, const aclTensor* expertIdx, int64_t renorm,
    int64_t normType, double routedScalingFactor, double eps, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMoeGatingTopKBackward(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MOE_GATING_TOP_KBACKWARD_H_
