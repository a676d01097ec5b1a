// aclnnAddRmsNormCast
//
// RMS normalisation of x1 + x2, stored in float32 and in the inputs' dtype.
#ifndef PYACLNN_ACLNNOP_ACLNN_ADD_RMS_NORM_CAST_H_
#define PYACLNN_ACLNNOP_ACLNN_ADD_RMS_NORM_CAST_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAddRmsNormCastGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* gamma, double epsilon,
    const aclTensor* y1Out, const aclTensor* y2Out, const aclTensor* rstdOut, const aclTensor* xOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAddRmsNormCast(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ADD_RMS_NORM_CAST_H_
