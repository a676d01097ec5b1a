// aclnnAddRmsNormDynamicQuant
//
// RMS normalisation of x1 + x2, quantised to int8 with a scale computed for each row.
#ifndef PYACLNN_ACLNNOP_ACLNN_ADD_RMS_NORM_DYNAMIC_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_ADD_RMS_NORM_DYNAMIC_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// CANN 8.1 declares (const aclTensor *x1, const aclTensor *x2, const aclTensor *gamma, const
// aclTensor *smoothScale1Optional, const aclTensor *smoothScale2Optional, double epsilon, const
// aclTensor *y1Out, const aclTensor *y2Out, const aclTensor *xOut, const aclTensor *scale1Out,
// const aclTensor *scale2Out, uint64_t *workspaceSize, aclOpExecutor **executor).
ACLNN_API aclnnStatus aclnnAddRmsNormDynamicQuantGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* gamma,
    const aclTensor* smoothScale1Optional, const aclTensor* smoothScale2Optional, double epsilon,
    aclTensor* y1Out, aclTensor* y2Out, aclTensor* xOut, aclTensor* scale1Out, aclTensor* scale2Out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnAddRmsNormDynamicQuant(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ADD_RMS_NORM_DYNAMIC_QUANT_H_
