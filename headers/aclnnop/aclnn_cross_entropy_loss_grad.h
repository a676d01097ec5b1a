// aclnnCrossEntropyLossGrad
//
// out = gradLoss * weight[target] * (exp(logProb) - one-hot target), smoothed by labelSmoothing;
// divided by the summed weights of the targets for the mean.
//
// logProb is (N, C), the forward operator's; target has N class indices, of which ignoreIndex
// counts for nothing; weightOptional has C elements, always float32. gradZlossOptional,
// lseForZlossOptional and lseSquareScaleForZloss are for a z-loss that is not supported yet, and
// ignored. reductionOptional is "mean", "sum" or "none". Another labelSmoothing than 0 is not
// supported yet either, but computed here. float32, float16 and bfloat16, on Atlas A2 and later
// only.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.cross_entropy.
#ifndef PYACLNN_ACLNNOP_ACLNN_CROSS_ENTROPY_LOSS_GRAD_H_
#define PYACLNN_ACLNNOP_ACLNN_CROSS_ENTROPY_LOSS_GRAD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnCrossEntropyLossGradGetWorkspaceSize(
    const aclTensor* gradLoss, const aclTensor* logProb, const aclTensor* target,
    const aclTensor* weightOptional, const aclTensor* gradZlossOptional,
    const aclTensor* lseForZlossOptional, char* reductionOptional, int64_t ignoreIndex,
    double labelSmoothing, double lseSquareScaleForZloss, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnCrossEntropyLossGrad(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CROSS_ENTROPY_LOSS_GRAD_H_
