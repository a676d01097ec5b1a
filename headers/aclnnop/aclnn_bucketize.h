// aclnnBucketize
//
// out = index of the interval between boundaries that each element falls into.
#ifndef PYACLNN_ACLNNOP_ACLNN_BUCKETIZE_H_
#define PYACLNN_ACLNNOP_ACLNN_BUCKETIZE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnBucketizeGetWorkspaceSize(const aclTensor* self,
                                                     const aclTensor* boundaries,
                                                     const bool outInt32, const bool right,
                                                     aclTensor* out, uint64_t* workspaceSize,
                                                     aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnBucketize(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_BUCKETIZE_H_
