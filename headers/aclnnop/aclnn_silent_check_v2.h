// aclnnSilentCheckV2
//
// Watches a gradient's norm for jumps that a hardware fault would cause, in place. Version 2 of its
// interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_SILENT_CHECK_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_SILENT_CHECK_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnSilentCheckV2GetWorkspaceSize(
    const aclTensor* val, const aclTensor* max, aclTensor* avgRef, aclTensor* inputGradRef,
    aclTensor* stepRef, aclIntArray* dstSize, aclIntArray* dstStride, aclIntArray* dstOffset,
    float cThreshL1, float cThreshL2, float beta1, int32_t npuAsdDetect, aclTensor* result,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSilentCheckV2(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SILENT_CHECK_V2_H_
