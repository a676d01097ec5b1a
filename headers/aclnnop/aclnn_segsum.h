// aclnnExpSegsum
//
// Exponentials of the sums of all segments of the last dimension.
#ifndef PYACLNN_ACLNNOP_ACLNN_SEGSUM_H_
#define PYACLNN_ACLNNOP_ACLNN_SEGSUM_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnExpSegsumGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                                     uint64_t* workspaceSize,
                                                     aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnExpSegsum(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SEGSUM_H_
