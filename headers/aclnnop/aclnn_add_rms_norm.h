// aclnnAddRmsNorm
//
// RMS normalisation of x1 + x2; also stores the reciprocal root mean square and the sum.
#ifndef PYACLNN_ACLNNOP_ACLNN_ADD_RMS_NORM_H_
#define PYACLNN_ACLNNOP_ACLNN_ADD_RMS_NORM_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// CANN 8.1 declares (const aclTensor *x1, const aclTensor *x2, const aclTensor *gamma, double
// epsilon, const aclTensor *yOut, const aclTensor *rstdOut, const aclTensor *xOut, uint64_t
// *workspaceSize, aclOpExecutor **executor).
ACLNN_API aclnnStatus aclnnAddRmsNormGetWorkspaceSize(const aclTensor* x1, const aclTensor* x2,
                                                      const aclTensor* gamma, double epsilon,
                                                      aclTensor* yOut, aclTensor* rstdOut,
                                                      aclTensor* xOut, uint64_t* workspaceSize,
                                                      aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnAddRmsNorm(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ADD_RMS_NORM_H_
