// aclnnFastBatchNormBackward
//
// In training: gradInput = weight * invstd * (gradOut - mean(gradOut) - xhat * mean(gradOut *
// xhat)), else weight * invstd * gradOut, where xhat is the normalised input; gradWeight =
// sum(gradOut * xhat), gradBias = sum(gradOut).
//
// Means and sums go over all but the second dimension. input has 2 to 8 dimensions; the statistics
// have one value for each channel: saveMean and saveInvstd in training, runningMean and runningVar,
// with eps, otherwise. saveInvstd is the variance, as aclnnFastBatchNorm writes it there.
// outputMask has three values and says which results are wanted. float32 and float16, and bfloat16
// on Atlas A2 and later. version has no effect here.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.batch_norm.
#ifndef PYACLNN_ACLNNOP_ACLNN_FAST_BATCH_NORM_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_FAST_BATCH_NORM_BACKWARD_H_

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

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnFastBatchNormBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclTensor* weight,
    const aclTensor* runningMean, const aclTensor* runningVar, const aclTensor* saveMean,
    const aclTensor* saveInvstd, bool training, double eps, const aclBoolArray* outputMask,
    int version, aclTensor* gradInput, aclTensor* gradWeight, aclTensor* gradBias,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnFastBatchNormBackward(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FAST_BATCH_NORM_BACKWARD_H_
