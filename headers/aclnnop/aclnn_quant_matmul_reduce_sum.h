// aclnnQuantMatmulReduceSumWeightNz
//
// Products of a batch of int8 matrices, restored and added up; the right ones in the NZ layout.
#ifndef PYACLNN_ACLNNOP_ACLNN_QUANT_MATMUL_REDUCE_SUM_H_
#define PYACLNN_ACLNNOP_ACLNN_QUANT_MATMUL_REDUCE_SUM_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnQuantMatmulReduceSumWeightNzGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* x1Scale, const aclTensor* x2Scale,
    const aclTensor* yScale, const aclTensor* x1Offset, const aclTensor* x2Offset,
    const aclTensor* yOffset, const aclTensor* bias, bool transposeX1, bool transposeX2,
    int64_t groupSize, const aclIntArray* dims, bool keepDims, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnQuantMatmulReduceSumWeightNz(void* workspace, uint64_t workspaceSize,
                                                        aclOpExecutor* executor,
                                                        aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_QUANT_MATMUL_REDUCE_SUM_H_
