// aclnnBatchNormReduce
//
// Sums and sums of squares of each channel.
#ifndef PYACLNN_ACLNNOP_ACLNN_BATCH_NORM_REDUCE_H_
#define PYACLNN_ACLNNOP_ACLNN_BATCH_NORM_REDUCE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnBatchNormReduceGetWorkspaceSize(const aclTensor* x, aclTensor* sum,
                                                           aclTensor* squareSum,
                                                           uint64_t* workspaceSize,
                                                           aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnBatchNormReduce(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_BATCH_NORM_REDUCE_H_
