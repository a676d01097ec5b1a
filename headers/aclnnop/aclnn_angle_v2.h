// aclnnAngleV2
//
// out = angle of each number in the complex plane.
#ifndef PYACLNN_ACLNNOP_ACLNN_ANGLE_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_ANGLE_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAngleV2GetWorkspaceSize(const aclTensor* x, const aclTensor* out,
                                                   uint64_t* workspaceSize,
                                                   aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAngleV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ANGLE_V2_H_
