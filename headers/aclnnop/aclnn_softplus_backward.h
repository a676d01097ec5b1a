// aclnnSoftplusBackward
//
// gradInput = gradOutput * z / (1 + z), where z = exp(beta * self), and gradOutput where beta *
// self > threshold.
//
// All tensors have one shape of up to 8 dimensions. float32, float16 and float64, and bfloat16 on
// Atlas A2 and later, for self also integers and bool; gradOutput and self are cast to float32
// where they differ or have one of the other dtypes.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.softplus.
#ifndef PYACLNN_ACLNNOP_ACLNN_SOFTPLUS_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_SOFTPLUS_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnSoftplusBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclScalar* beta,
    const aclScalar* threshold, aclTensor* gradInput, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSoftplusBackward(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SOFTPLUS_BACKWARD_H_
