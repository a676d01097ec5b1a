// aclnnMaskedCausalConv1d
//
// Causal convolution along the sequence, with masked tokens taken as 0. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_MASKED_CAUSAL_CONV1D_H_
#define PYACLNN_ACLNNOP_ACLNN_MASKED_CAUSAL_CONV1D_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMaskedCausalConv1dGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* maskOptional,
    const aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMaskedCausalConv1d(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MASKED_CAUSAL_CONV1D_H_
