// aclnnLogitGrad
//
// out = dy / (x * (1 - x)) where eps <= x <= 1 - eps, and 0 elsewhere; for eps < 0 NaN where x is
// outside [0, 1]. NaN for eps > 1, infinity for eps = 1.
//
// All tensors have one shape of up to 8 dimensions and one dtype: float32, float16 and bfloat16, on
// Atlas A2 and later only.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.logit.
#ifndef PYACLNN_ACLNNOP_ACLNN_LOGIT_GRAD_H_
#define PYACLNN_ACLNNOP_ACLNN_LOGIT_GRAD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnLogitGradGetWorkspaceSize(const aclTensor* x, const aclTensor* dy,
                                                     double eps, const aclTensor* out,
                                                     uint64_t* workspaceSize,
                                                     aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnLogitGrad(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_LOGIT_GRAD_H_
