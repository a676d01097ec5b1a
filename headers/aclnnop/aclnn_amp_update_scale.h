// aclnnAmpUpdateScale
//
// The next loss scale: smaller after an overflow, larger after growthInterval steps without.
#ifndef PYACLNN_ACLNNOP_ACLNN_AMP_UPDATE_SCALE_H_
#define PYACLNN_ACLNNOP_ACLNN_AMP_UPDATE_SCALE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAmpUpdateScaleGetWorkspaceSize(
    const aclTensor* currentScale, const aclTensor* growthTracker, const aclTensor* foundInf,
    double growthFactor, double backoffFactor, int64_t growthInterval,
    const aclTensor* updatedScale, const aclTensor* updatedGrowthTracker, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAmpUpdateScale(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_AMP_UPDATE_SCALE_H_
