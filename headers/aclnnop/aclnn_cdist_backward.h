// aclnnCdistBackward
//
// out[i, k] = sum over j of grad[i, j] * sign(d) * |d|^(p - 1) / cdist[i, j]^(p - 1), where d =
// x1[i, k] - x2[j, k]; 0 where the distance is 0.
//
// The gradient by x1. x1 is (..., P, M), x2 (..., R, M), grad and cdist (..., P, R). p is not below
// 0; 0, 1, 2 and infinity, also written -1, have forms of their own. float32, float16 and bfloat16,
// on Atlas A2 and A3 only.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.cdist.
#ifndef PYACLNN_ACLNNOP_ACLNN_CDIST_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_CDIST_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnCdistBackwardGetWorkspaceSize(const aclTensor* grad, const aclTensor* x1,
                                                         const aclTensor* x2,
                                                         const aclTensor* cdist, float p,
                                                         aclTensor* out, uint64_t* workspaceSize,
                                                         aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnCdistBackward(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CDIST_BACKWARD_H_
