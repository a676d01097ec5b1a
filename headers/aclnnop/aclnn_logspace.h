// aclnnLogSpace
//
// result = base to the power of steps numbers at equal distances from start to end.
#ifndef PYACLNN_ACLNNOP_ACLNN_LOGSPACE_H_
#define PYACLNN_ACLNNOP_ACLNN_LOGSPACE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnLogSpaceGetWorkspaceSize(const aclScalar* start, const aclScalar* end,
                                                    int64_t steps, double base,
                                                    const aclTensor* result,
                                                    uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnLogSpace(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_LOGSPACE_H_
