// aclnnPolar
//
// out = complex numbers of given magnitudes and angles.
#ifndef PYACLNN_ACLNNOP_ACLNN_POLAR_H_
#define PYACLNN_ACLNNOP_ACLNN_POLAR_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnPolarGetWorkspaceSize(const aclTensor* input, const aclTensor* angle,
                                                 aclTensor* out, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnPolar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_POLAR_H_
