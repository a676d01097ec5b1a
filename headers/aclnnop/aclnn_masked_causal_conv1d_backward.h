// aclnnMaskedCausalConv1dBackward
//
// The gradients of MaskedCausalConv1d. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_MASKED_CAUSAL_CONV1D_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_MASKED_CAUSAL_CONV1D_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMaskedCausalConv1dBackwardGetWorkspaceSize(
    const aclTensor* gradY, const aclTensor* x, const aclTensor* weight,
    const aclTensor* maskOptional, const aclTensor* gradXOut, const aclTensor* gradWeightOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMaskedCausalConv1dBackward(void* workspace, uint64_t workspaceSize,
                                                      aclOpExecutor* executor,
                                                      const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MASKED_CAUSAL_CONV1D_BACKWARD_H_
