// aclnnBatchNormElemtBackward
//
// gradInput = weight * invstd * (gradOut - sumDy / n - (input - mean) * invstd^2 * sumDyXmu / n),
// where n is the sum of counter.
//
// The elementwise half of a batch normalisation over several devices. The vectors have one value
// for each channel, the second dimension of input; counter has the number of elements on each
// device. float32 and float16, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation.
#ifndef PYACLNN_ACLNNOP_ACLNN_BATCH_NORM_ELEMT_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_BATCH_NORM_ELEMT_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnBatchNormElemtBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclTensor* mean,
    const aclTensor* invstd, const aclTensor* weight, const aclTensor* sumDy,
    const aclTensor* sumDyXmu, aclTensor* counter, aclTensor* gradInput, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnBatchNormElemtBackward(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor,
                                                  const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_BATCH_NORM_ELEMT_BACKWARD_H_
