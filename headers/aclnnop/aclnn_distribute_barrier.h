// aclnnDistributeBarrier
//
// Waits until all devices of a group have come here; xRef only orders it among other operators.
#ifndef PYACLNN_ACLNNOP_ACLNN_DISTRIBUTE_BARRIER_H_
#define PYACLNN_ACLNNOP_ACLNN_DISTRIBUTE_BARRIER_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

// As in CANN, for what includes this header.
#ifdef __cplusplus
#include <string>
#endif

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDistributeBarrierGetWorkspaceSize(aclTensor* xRef, const char* group,
                                                             int64_t worldSize,
                                                             uint64_t* workspaceSize,
                                                             aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDistributeBarrier(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_DISTRIBUTE_BARRIER_H_
