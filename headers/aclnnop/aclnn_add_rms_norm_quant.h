// aclnnAddRmsNormQuant
//
// RMS normalisation of x1 + x2, quantised to int8 with given scales and zero points.
#ifndef PYACLNN_ACLNNOP_ACLNN_ADD_RMS_NORM_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_ADD_RMS_NORM_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// CANN 8.1 declares (const aclTensor *x1, const aclTensor *x2, const aclTensor *gamma, const
// aclTensor *scales1, const aclTensor *scales2Optional, const aclTensor *zeroPoints1Optional, const
// aclTensor *zeroPoints2Optional, int64_t axis, double epsilon, bool divMode, const aclTensor
// *y1Out, const aclTensor *y2Out, const aclTensor *xOut, uint64_t *workspaceSize, aclOpExecutor
// **executor).
ACLNN_API aclnnStatus aclnnAddRmsNormQuantGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* gamma, const aclTensor* scales1,
    const aclTensor* scales2Optional, const aclTensor* zeroPoints1Optional,
    const aclTensor* zeroPoints2Optional, int64_t axis, double epsilon, bool divMode,
    aclTensor* y1Out, aclTensor* y2Out, aclTensor* xOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnAddRmsNormQuant(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ADD_RMS_NORM_QUANT_H_
