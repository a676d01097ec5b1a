// aclnnCrossEntropyLossGrad
//
// out = gradLoss * weight * (softmax - one-hot target), smoothed by labelSmoothing, with the terms
// of the z-loss where its gradient is given; divided by the summed weights for the mean.
//
// logProb is (N, C), the forward operator's; target has N class indices, of which ignoreIndex
// counts for nothing; weightOptional has C elements. gradZlossOptional and lseForZlossOptional
// belong to the z-loss, whose factor is lseSquareScaleForZloss. reductionOptional is "mean", "sum"
// or "none". float32, float16 and bfloat16 on Atlas A2 and later.
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

// Only in CANN 8.1.
ACLNN_API aclnnStatus aclnnCrossEntropyLossGradGetWorkspaceSize(
    const aclTensor* gradLoss, const aclTensor* logProb, const aclTensor* target,
    const aclTensor* weightOptional, const aclTensor* gradZlossOptional,
    const aclTensor* lseForZlossOptional, char* reductionOptional, int64_t ignoreIndex,
    double labelSmoothing, double lseSquareScaleForZloss, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Only in CANN 8.1.
ACLNN_API aclnnStatus aclnnCrossEntropyLossGrad(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CROSS_ENTROPY_LOSS_GRAD_H_
