// aclnnHardsigmoidBackward
//
// out = gradOutput / 6 where -3 < self < 3, and 0 elsewhere.
//
// All tensors have one shape of up to 8 dimensions. gradOutput and self are cast to their common
// dtype, the result to that of out: float32 and float16, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.hardsigmoid.
#ifndef PYACLNN_ACLNNOP_ACLNN_HARDSIGMOID_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_HARDSIGMOID_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnHardsigmoidBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                               const aclTensor* self,
                                                               aclTensor* out,
                                                               uint64_t* workspaceSize,
                                                               aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnHardsigmoidBackward(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_HARDSIGMOID_BACKWARD_H_
