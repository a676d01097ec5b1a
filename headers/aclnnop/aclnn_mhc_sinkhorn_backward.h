// aclnnMhcSinkhornBackward
//
// The gradients of MhcSinkhorn. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_MHC_SINKHORN_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_MHC_SINKHORN_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMhcSinkhornBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* normOut, const aclTensor* sumOut, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMhcSinkhornBackward(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MHC_SINKHORN_BACKWARD_H_
