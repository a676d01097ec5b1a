// aclnnRmsNormQuantV3
//
// RMS normalisation, quantised with a given scale and offset. Version 3 of its interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_RMS_NORM_QUANT_V3_H_
#define PYACLNN_ACLNNOP_ACLNN_RMS_NORM_QUANT_V3_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRmsNormQuantV3GetWorkspaceSize(
    const aclTensor* x, const aclTensor* gamma, const aclTensor* scale, const aclTensor* offset,
    const aclTensor* beta, double epsilon, bool divMode, bool outputRstd, aclTensor* y,
    aclTensor* rstd, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRmsNormQuantV3(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_RMS_NORM_QUANT_V3_H_
