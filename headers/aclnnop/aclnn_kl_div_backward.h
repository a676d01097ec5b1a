// aclnnKlDivBackward
//
// out = -gradOutput * target, or -gradOutput * exp(target) for logTarget; divided by the number of
// elements for the mean.
//
// The derivative by self, a logarithm of probabilities. reduction is 0 for none, 1 for mean, 2 for
// sum, 3 for batchmean, which divides by the first dimension. self and target broadcast, and
// gradOutput to both; out has the shape of self and sums over the dimensions self lacks. float32
// and float16, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.kl_div.
#ifndef PYACLNN_ACLNNOP_ACLNN_KL_DIV_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_KL_DIV_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnKlDivBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* target, int64_t reduction,
    bool logTarget, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnKlDivBackward(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_KL_DIV_BACKWARD_H_
