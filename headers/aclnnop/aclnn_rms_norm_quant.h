// aclnnRmsNormQuant
//
// RMS normalisation, quantised with a given scale and offset.
#ifndef PYACLNN_ACLNNOP_ACLNN_RMS_NORM_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_RMS_NORM_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRmsNormQuantGetWorkspaceSize(const aclTensor* x, const aclTensor* gamma,
                                                        const aclTensor* beta,
                                                        const aclTensor* scale,
                                                        const aclTensor* offset, double epsilon,
                                                        aclTensor* y, uint64_t* workspaceSize,
                                                        aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRmsNormQuant(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_RMS_NORM_QUANT_H_
