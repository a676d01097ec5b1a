// aclnnDualLevelQuantMatmulWeightNz
//
// Matrix product of 4-bit operands with two levels of scales; the right one in the NZ layout.
#ifndef PYACLNN_ACLNNOP_ACLNN_DUAL_LEVEL_QUANT_MATMUL_NZ_H_
#define PYACLNN_ACLNNOP_ACLNN_DUAL_LEVEL_QUANT_MATMUL_NZ_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDualLevelQuantMatmulWeightNzGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* x1Level0Scale,
    const aclTensor* x2Level0Scale, const aclTensor* x1Level1Scale, const aclTensor* x2Level1Scale,
    const aclTensor* optionalBias, bool transposeX1, bool transposeX2, int64_t level0GroupSize,
    int64_t level1GroupSize, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDualLevelQuantMatmulWeightNz(void* workspace, uint64_t workspaceSize,
                                                        aclOpExecutor* executor,
                                                        aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_DUAL_LEVEL_QUANT_MATMUL_NZ_H_
