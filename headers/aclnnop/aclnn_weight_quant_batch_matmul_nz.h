// aclnnWeightQuantBatchMatmulNz
//
// Matrix product with a quantised right operand in the NZ layout, restored first.
#ifndef PYACLNN_ACLNNOP_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_NZ_H_
#define PYACLNN_ACLNNOP_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_NZ_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnWeightQuantBatchMatmulNzGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* antiquantScale,
    const aclTensor* antiquantOffsetOptional, const aclTensor* quantScaleOptional,
    const aclTensor* quantOffsetOptional, const aclTensor* biasOptional, int antiquantGroupSize,
    const aclTensor* y, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnWeightQuantBatchMatmulNz(void* workspace, uint64_t workspaceSize,
                                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_NZ_H_
