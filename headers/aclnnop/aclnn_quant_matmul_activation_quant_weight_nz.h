// aclnnQuantMatmulActivationQuantWeightNz
//
// Product of quantised matrices, an activation, and a quantisation; the right one in the NZ layout.
#ifndef PYACLNN_ACLNNOP_ACLNN_QUANT_MATMUL_ACTIVATION_QUANT_WEIGHT_NZ_H_
#define PYACLNN_ACLNNOP_ACLNN_QUANT_MATMUL_ACTIVATION_QUANT_WEIGHT_NZ_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnQuantMatmulActivationQuantWeightNzGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* x1ScaleOptional,
    const aclTensor* x2Scale, const aclTensor* biasOptional, bool transposeX1, bool transposeX2,
    int64_t groupSize, const char* activationType, const char* quantMode, const char* roundMode,
    int64_t scaleAlg, double dstTypeMax, aclTensor* yOut, aclTensor* yScaleOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnQuantMatmulActivationQuantWeightNz(void* workspace,
                                                              uint64_t workspaceSize,
                                                              aclOpExecutor* executor,
                                                              aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_QUANT_MATMUL_ACTIVATION_QUANT_WEIGHT_NZ_H_
