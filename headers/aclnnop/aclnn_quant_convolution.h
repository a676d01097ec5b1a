#ifndef PYACLNN_ACLNNOP_ACLNN_QUANT_CONVOLUTION_H_
#define PYACLNN_ACLNNOP_ACLNN_QUANT_CONVOLUTION_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnQuantConvolution
//
// Convolution of quantised operands, restored by a scale.
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnQuantConvolutionGetWorkspaceSize(
    const aclTensor* input, const aclTensor* weight, const aclTensor* bias, const aclTensor* scale,
    const aclTensor* offset, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool transposed, const aclIntArray* outputPadding, int64_t groups,
    int32_t offsetx, const char* roundMode, aclTensor* output, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnQuantConvolution(void* workspace, const uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

// aclnnQuantConvolutionWeightNz
//
// Convolution of quantised operands, restored by a scale. The right matrix is in the NZ layout.
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnQuantConvolutionWeightNzGetWorkspaceSize(
    const aclTensor* input, const aclTensor* weight, const aclTensor* bias, const aclTensor* scale,
    const aclTensor* offset, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool transposed, const aclIntArray* outputPadding, int64_t groups,
    int32_t offsetx, const char* roundMode, aclTensor* output, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnQuantConvolutionWeightNz(void* workspace, const uint64_t workspaceSize,
                                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_QUANT_CONVOLUTION_H_
