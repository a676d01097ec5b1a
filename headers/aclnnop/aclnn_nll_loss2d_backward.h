// aclnnNLLLoss2dBackward
//
// out[n, target[n, h, w], h, w] = -gradOutput[n, h, w] * weight[target[n, h, w]], and 0 elsewhere
// and where the target is ignoreIndex; for the mean gradOutput is one number and divided by
// totalWeight.
//
// self is (N, C, H, W), target (N, H, W) class indices (int64, int32 or uint8), weight has C
// elements. reduction is 0 for none, 1 for mean, 2 for sum; totalWeight comes from the forward
// operator. float32 and float16, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.nll_loss.
#ifndef PYACLNN_ACLNNOP_ACLNN_NLL_LOSS2D_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_NLL_LOSS2D_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnNLLLoss2dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* target,
    const aclTensor* weight, int64_t reduction, int64_t ignoreIndex, aclTensor* totalWeight,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnNLLLoss2dBackward(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_NLL_LOSS2D_BACKWARD_H_
