// aclnnInplaceAddRmsNorm
//
// In place: RMS normalisation of x1 + x2; also stores the reciprocal root mean square and the sum.
#ifndef PYACLNN_ACLNNOP_ACLNN_INPLACE_ADD_RMS_NORM_H_
#define PYACLNN_ACLNNOP_ACLNN_INPLACE_ADD_RMS_NORM_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnInplaceAddRmsNormGetWorkspaceSize(aclTensor* x1Ref, aclTensor* x2Ref,
                                                             const aclTensor* gamma, double epsilon,
                                                             const aclTensor* rstdOut,
                                                             uint64_t* workspaceSize,
                                                             aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnInplaceAddRmsNorm(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_INPLACE_ADD_RMS_NORM_H_
