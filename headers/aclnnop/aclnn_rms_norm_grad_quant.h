// aclnnRmsNormGradQuant
//
// Gradients of the RMS normalisation, the first one quantised.
#ifndef PYACLNN_ACLNNOP_ACLNN_RMS_NORM_GRAD_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_RMS_NORM_GRAD_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRmsNormGradQuantGetWorkspaceSize(
    const aclTensor* dy, const aclTensor* x, const aclTensor* rstd, const aclTensor* gamma,
    const aclTensor* scalesX, const aclTensor* offsetXOptional, const char* quantMode, bool divMode,
    aclTensor* dxOut, aclTensor* dgammaOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRmsNormGradQuant(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_RMS_NORM_GRAD_QUANT_H_
