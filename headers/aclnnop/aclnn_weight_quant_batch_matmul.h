// aclnnWeightQuantBatchMatmul
//
// Matrix product with a quantised right operand, restored first.
#ifndef PYACLNN_ACLNNOP_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_H_
#define PYACLNN_ACLNNOP_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnWeightQuantBatchMatmulGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* diagonalMatrix,
    const aclTensor* deqOffset, const aclTensor* deqScale, const aclTensor* addOffset,
    const aclTensor* mulScale, const aclTensor* bias, bool transposeX1, bool transposeX2,
    float antiquantScale, float antiquantOffset, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnWeightQuantBatchMatmul(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor,
                                                  const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_H_
