// aclnnQuantizedBatchNorm
//
// Batch normalisation of quantised numbers.
#ifndef PYACLNN_ACLNNOP_ACLNN_QUANTIZED_BATCH_NORM_H_
#define PYACLNN_ACLNNOP_ACLNN_QUANTIZED_BATCH_NORM_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnQuantizedBatchNormGetWorkspaceSize(
    const aclTensor* input, const aclTensor* mean, const aclTensor* var,
    const aclScalar* inputScale, const aclScalar* inputZeroPoint, const aclScalar* outputScale,
    const aclScalar* outputZeroPoint, aclTensor* weight, aclTensor* bias, float epsilon,
    aclTensor* output, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnQuantizedBatchNorm(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_QUANTIZED_BATCH_NORM_H_
