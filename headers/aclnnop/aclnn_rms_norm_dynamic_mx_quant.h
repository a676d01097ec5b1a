// aclnnRmsNormDynamicMxQuant
//
// RMS normalisation, quantised to a microscaling format.
#ifndef PYACLNN_ACLNNOP_ACLNN_RMS_NORM_DYNAMIC_MX_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_RMS_NORM_DYNAMIC_MX_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRmsNormDynamicMxQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* gamma, const aclTensor* beta, double epsilon,
    int64_t scaleAlg, char* roundMode, int64_t dstType, bool outputRstd, aclTensor* yOut,
    aclTensor* mxscaleOut, aclTensor* rstdOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRmsNormDynamicMxQuant(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_RMS_NORM_DYNAMIC_MX_QUANT_H_
