// aclnnMoeDistributeBufferReset
//
// Resets the communication buffers of the experts' devices.
#ifndef PYACLNN_ACLNNOP_ACLNN_MOE_DISTRIBUTE_BUFFER_RESET_H_
#define PYACLNN_ACLNNOP_ACLNN_MOE_DISTRIBUTE_BUFFER_RESET_H_

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
ACLNN_API aclnnStatus aclnnMoeDistributeBufferResetGetWorkspaceSize(
    const aclTensor* elasticInfo, const char* groupEp, int64_t epWorldSize, int64_t needSync,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnMoeDistributeBufferReset(void* workspace, uint64_t workspaceSize,
                                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MOE_DISTRIBUTE_BUFFER_RESET_H_
