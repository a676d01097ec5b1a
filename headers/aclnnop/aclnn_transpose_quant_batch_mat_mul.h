#ifndef PYACLNN_ACLNNOP_ACLNN_TRANSPOSE_QUANT_BATCH_MAT_MUL_H_
#define PYACLNN_ACLNNOP_ACLNN_TRANSPOSE_QUANT_BATCH_MAT_MUL_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnTransposeQuantBatchMatMul
//
// Products of a batch of quantised matrices whose operands and result are transposed as asked for.
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnTransposeQuantBatchMatMulGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const aclTensor* x1Scale,
    const aclTensor* x2Scale, int32_t dtype, int64_t groupSize, const aclIntArray* permX1,
    const aclIntArray* permX2, const aclIntArray* permY, int32_t batchSplitFactor, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnTransposeQuantBatchMatMul(void* workspace, uint64_t workspaceSize,
                                                     aclOpExecutor* executor,
                                                     const aclrtStream stream);

// aclnnTransposeQuantBatchMatMulWeightNz
//
// Products of a batch of quantised matrices whose operands and result are transposed as asked for.
// The right matrix is in the NZ layout.
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnTransposeQuantBatchMatMulWeightNzGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const aclTensor* x1Scale,
    const aclTensor* x2Scale, int32_t dtype, int64_t groupSize, const aclIntArray* permX1,
    const aclIntArray* permX2, const aclIntArray* permY, int32_t batchSplitFactor, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnTransposeQuantBatchMatMulWeightNz(void* workspace,
                                                             uint64_t workspaceSize,
                                                             aclOpExecutor* executor,
                                                             const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_TRANSPOSE_QUANT_BATCH_MAT_MUL_H_
