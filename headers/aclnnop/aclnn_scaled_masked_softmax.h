// aclnnScaledMaskedSoftmax
//
// y = softmax of scale * x where mask is not set.
#ifndef PYACLNN_ACLNNOP_ACLNN_SCALED_MASKED_SOFTMAX_H_
#define PYACLNN_ACLNNOP_ACLNN_SCALED_MASKED_SOFTMAX_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnScaledMaskedSoftmaxGetWorkspaceSize(const aclTensor* x,
                                                               const aclTensor* mask, double scale,
                                                               bool fixedTriuMask, aclTensor* y,
                                                               uint64_t* workspaceSize,
                                                               aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnScaledMaskedSoftmax(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SCALED_MASKED_SOFTMAX_H_
