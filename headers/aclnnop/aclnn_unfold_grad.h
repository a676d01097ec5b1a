// aclnnUnfoldGrad
//
// gradIn: every window's elements are added at the places of dim they were taken from; windows have
// size elements and begin step apart.
//
// gradOut has one dimension more than gradIn, the last, of length size; inputSizes is the shape of
// gradIn. float32, float16 and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.Tensor.unfold.
#ifndef PYACLNN_ACLNNOP_ACLNN_UNFOLD_GRAD_H_
#define PYACLNN_ACLNNOP_ACLNN_UNFOLD_GRAD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnUnfoldGradGetWorkspaceSize(
    const aclTensor* gradOut, const aclIntArray* inputSizes, int64_t dim, int64_t size,
    int64_t step, const aclTensor* gradIn, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnUnfoldGrad(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_UNFOLD_GRAD_H_
