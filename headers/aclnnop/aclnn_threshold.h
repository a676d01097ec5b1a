#ifndef PYACLNN_ACLNNOP_ACLNN_THRESHOLD_H_
#define PYACLNN_ACLNNOP_ACLNN_THRESHOLD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnInplaceThreshold
//
// selfRef = selfRef where it is above the threshold, and value elsewhere, in place.
ACLNN_API aclnnStatus aclnnInplaceThresholdGetWorkspaceSize(aclTensor* selfRef,
                                                            const aclScalar* threshold,
                                                            const aclScalar* value,
                                                            uint64_t* workspaceSize,
                                                            aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceThreshold(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

// aclnnThreshold
//
// out = self where it is above the threshold, and value elsewhere.
ACLNN_API aclnnStatus aclnnThresholdGetWorkspaceSize(const aclTensor* self,
                                                     const aclScalar* threshold,
                                                     const aclScalar* value, aclTensor* out,
                                                     uint64_t* workspaceSize,
                                                     aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnThreshold(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_THRESHOLD_H_
