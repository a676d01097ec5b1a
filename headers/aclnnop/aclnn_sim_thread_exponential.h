// aclnnSimThreadExponential
//
// Fills selfRef with exponentially distributed random numbers.
#ifndef PYACLNN_ACLNNOP_ACLNN_SIM_THREAD_EXPONENTIAL_H_
#define PYACLNN_ACLNNOP_ACLNN_SIM_THREAD_EXPONENTIAL_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSimThreadExponentialGetWorkspaceSize(aclTensor* selfRef, int64_t count,
                                                                double lambda, int64_t seed,
                                                                int64_t offset,
                                                                uint64_t* workspaceSize,
                                                                aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSimThreadExponential(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SIM_THREAD_EXPONENTIAL_H_
