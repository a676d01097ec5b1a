// aclnnBatchNormReduceBackward
//
// sumDy = sum(gradOut), sumDyXmu = sum(gradOut * (input - mean)), gradWeight = sumDyXmu * invstd,
// gradBias = sumDy.
//
// The reducing half of a batch normalisation over several devices: sums over all but the second
// dimension. inputG, weightG and biasG say which results are wanted; the first two need no weight.
// float32 and float16, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation.
#ifndef PYACLNN_ACLNNOP_ACLNN_BATCH_NORM_BACKWARD_REDUCE_H_
#define PYACLNN_ACLNNOP_ACLNN_BATCH_NORM_BACKWARD_REDUCE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnBatchNormReduceBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclTensor* mean,
    const aclTensor* invstd, const aclTensor* weight, const bool inputG, const bool weightG,
    const bool biasG, aclTensor* sumDy, aclTensor* sumDyXmu, aclTensor* gradWeight,
    aclTensor* gradBias, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnBatchNormReduceBackward(void* workspace, uint64_t workspaceSize,
                                                   aclOpExecutor* executor,
                                                   const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_BATCH_NORM_BACKWARD_REDUCE_H_
