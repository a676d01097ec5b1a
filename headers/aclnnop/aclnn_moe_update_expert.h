// aclnnMoeUpdateExpert
//
// Maps the experts' numbers to their copies on devices, balancing the load.
#ifndef PYACLNN_ACLNNOP_ACLNN_MOE_UPDATE_EXPERT_H_
#define PYACLNN_ACLNNOP_ACLNN_MOE_UPDATE_EXPERT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

// As in CANN, for what includes this header.
#ifdef __cplusplus
#include <string>
#endif

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnMoeUpdateExpertGetWorkspaceSize(
    const aclTensor* expertIds, const aclTensor* eplbTable, const aclTensor* expertScalesOptional,
    const aclTensor* pruningThresholdOptional, const aclTensor* activeMaskOptional,
    int64_t localRankId, int64_t worldSize, int64_t balanceMode, aclTensor* balancedExpertIds,
    aclTensor* balancedActiveMask, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnMoeUpdateExpert(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MOE_UPDATE_EXPERT_H_
