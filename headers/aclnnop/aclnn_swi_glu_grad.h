// aclnnSwiGluGrad
//
// With x = (a, b) split along dim and s = sigmoid(a): out = (yGrad * b * s * (1 + a * (1 - s)),
// yGrad * a * s).
//
// The length of x along dim is even, and half of it in yGrad; out has the shape of x. float32,
// float16 and bfloat16, on Atlas A2 and later only.
//
// See the page of this name in the CANN operator documentation.
#ifndef PYACLNN_ACLNNOP_ACLNN_SWI_GLU_GRAD_H_
#define PYACLNN_ACLNNOP_ACLNN_SWI_GLU_GRAD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnSwiGluGradGetWorkspaceSize(const aclTensor* yGrad, const aclTensor* x,
                                                      int64_t dim, const aclTensor* out,
                                                      uint64_t* workspaceSize,
                                                      aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSwiGluGrad(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SWI_GLU_GRAD_H_
