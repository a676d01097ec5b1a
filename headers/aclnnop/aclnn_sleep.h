// aclnnSleep
//
// Keeps the stream busy for a number of cycles.
#ifndef PYACLNN_ACLNNOP_ACLNN_SLEEP_H_
#define PYACLNN_ACLNNOP_ACLNN_SLEEP_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSleepGetWorkspaceSize(const aclIntArray* cycles, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSleep(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SLEEP_H_
