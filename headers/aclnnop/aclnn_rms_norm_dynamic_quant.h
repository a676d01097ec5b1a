// aclnnRmsNormDynamicQuant
//
// RMS normalisation, quantised with a scale computed for each row.
#ifndef PYACLNN_ACLNNOP_ACLNN_RMS_NORM_DYNAMIC_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_RMS_NORM_DYNAMIC_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRmsNormDynamicQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* gamma, const aclTensor* smoothScalesOptional,
    const aclTensor* betaOptional, double epsilon, int64_t dstType, const aclTensor* yOut,
    const aclTensor* scaleOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRmsNormDynamicQuant(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_RMS_NORM_DYNAMIC_QUANT_H_
