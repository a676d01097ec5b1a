// aclnnInplaceAttentionWorkerScheduler
//
// Waits for, and marks, the tokens that a worker of attention has received; its context is changed
// in place. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_ATTENTION_WORKER_SCHEDULER_H_
#define PYACLNN_ACLNNOP_ACLNN_ATTENTION_WORKER_SCHEDULER_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnInplaceAttentionWorkerSchedulerGetWorkspaceSize(
    aclTensor* scheduleContextRef, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceAttentionWorkerScheduler(void* workspace, uint64_t workspaceSize,
                                                           aclOpExecutor* executor,
                                                           const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ATTENTION_WORKER_SCHEDULER_H_
