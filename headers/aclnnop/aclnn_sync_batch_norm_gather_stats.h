// aclnnSyncBatchNormGatherStats
//
// Joins the sums of several devices to batch statistics and updates the running ones.
#ifndef PYACLNN_ACLNNOP_ACLNN_SYNC_BATCH_NORM_GATHER_STATS_H_
#define PYACLNN_ACLNNOP_ACLNN_SYNC_BATCH_NORM_GATHER_STATS_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSyncBatchNormGatherStatsGetWorkspaceSize(
    const aclTensor* totalSum, const aclTensor* totalSquareSum, const aclTensor* sampleCount,
    aclTensor* mean, aclTensor* variance, float momentum, float eps, aclTensor* batchMean,
    aclTensor* batchInvstd, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSyncBatchNormGatherStats(void* workspace, uint64_t workspaceSize,
                                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SYNC_BATCH_NORM_GATHER_STATS_H_
