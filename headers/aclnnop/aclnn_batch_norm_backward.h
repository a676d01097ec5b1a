// aclnnBatchNormBackward
//
// In training: gradInput = weight * invstd * (gradOut - mean(gradOut) - xhat * mean(gradOut *
// xhat)), else weight * invstd * gradOut, where xhat is the normalised input; gradWeight =
// sum(gradOut * xhat), gradBias = sum(gradOut).
//
// Means and sums go over all but the second dimension. input has 2 to 8 dimensions; the statistics
// have one value for each channel: saveMean and saveInvstd in training, runningMean and runningVar,
// with eps, otherwise. saveInvstd is what aclnnBatchNorm has written there: 1 / sqrt(variance +
// eps) on the 950 series, and the variance itself on all other chips. outputMask has three values
// and says which results are wanted. float32 and float16, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.batch_norm.
#ifndef PYACLNN_ACLNNOP_ACLNN_BATCH_NORM_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_BATCH_NORM_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

// As in CANN, for what includes this header.
#ifdef __cplusplus
#include <array>
#endif

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnBatchNormBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclTensor* weight,
    const aclTensor* runningMean, const aclTensor* runningVar, const aclTensor* saveMean,
    const aclTensor* saveInvstd, bool training, double eps, const aclBoolArray* outputMask,
    aclTensor* gradInput, aclTensor* gradWeight, aclTensor* gradBias, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnBatchNormBackward(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_BATCH_NORM_BACKWARD_H_
