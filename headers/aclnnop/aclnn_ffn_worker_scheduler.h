// aclnnInplaceFfnWorkerScheduler
//
// Collects the tokens that a worker of the feed-forward network has received; its context is
// changed in place. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_FFN_WORKER_SCHEDULER_H_
#define PYACLNN_ACLNNOP_ACLNN_FFN_WORKER_SCHEDULER_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize(aclTensor* scheduleContextRef,
                                                                     int32_t syncGroupSize,
                                                                     int32_t executeMode,
                                                                     uint64_t* workspaceSize,
                                                                     aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceFfnWorkerScheduler(void* workspace, uint64_t workspaceSize,
                                                     aclOpExecutor* executor,
                                                     const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FFN_WORKER_SCHEDULER_H_
