// aclnnGluBackward
//
// With self = (a, b) split along dim and s = sigmoid(b): out = (gradOut * s, gradOut * s * (1 - s)
// * a).
//
// The length of self along dim is even, and half of it in gradOut; out has the shape of self.
// float32, float16 and float64, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.glu.
#ifndef PYACLNN_ACLNNOP_ACLNN_GLU_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_GLU_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnGluBackwardGetWorkspaceSize(const aclTensor* gradOut,
                                                       const aclTensor* self, int64_t dim,
                                                       const aclTensor* out,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnGluBackward(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GLU_BACKWARD_H_
