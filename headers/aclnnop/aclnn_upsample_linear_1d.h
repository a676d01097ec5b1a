// aclnnUpsampleLinear1d
//
// Resizes one dimension by linear interpolation.
#ifndef PYACLNN_ACLNNOP_ACLNN_UPSAMPLE_LINEAR_1D_H_
#define PYACLNN_ACLNNOP_ACLNN_UPSAMPLE_LINEAR_1D_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// CANN 8.1 declares (const aclTensor *self, const aclIntArray *outputSize, const bool alignCorners,
// const double scales, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor).
ACLNN_API aclnnStatus aclnnUpsampleLinear1dGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* outputSize, const bool alignCorners,
    const double scale, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnUpsampleLinear1d(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_UPSAMPLE_LINEAR_1D_H_
