// aclnnScatterMin
//
// Slices of varRef become the smaller of themselves and updates, in place.
#ifndef PYACLNN_ACLNNOP_ACLNN_SCATTER_MIN_H_
#define PYACLNN_ACLNNOP_ACLNN_SCATTER_MIN_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnScatterMinGetWorkspaceSize(aclTensor* varRef, const aclTensor* indices,
                                                      const aclTensor* updates, bool useLocking,
                                                      uint64_t* workspaceSize,
                                                      aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnScatterMin(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SCATTER_MIN_H_
