// aclnnSilentCheck
//
// Watches a gradient's norm for jumps that a hardware fault would cause, in place.
#ifndef PYACLNN_ACLNNOP_ACLNN_SILENT_CHECK_H_
#define PYACLNN_ACLNNOP_ACLNN_SILENT_CHECK_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnSilentCheckGetWorkspaceSize(
    const aclTensor* val, aclTensor* inputGradRef, aclTensor* sfdaRef, aclTensor* stepRef,
    const int32_t cMinSteps, const float cThreshL1, const float cCoeffL1, const float cThreshL2,
    const float cCoeffL2, const int32_t npuAsdDetect, aclTensor* result, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSilentCheck(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SILENT_CHECK_H_
