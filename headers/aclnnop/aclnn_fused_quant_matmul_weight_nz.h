// aclnnFusedQuantMatmulWeightNz
//
// Matrix product of quantised operands, restored, with an elementwise operation. The right matrix
// is in the NZ layout.
#ifndef PYACLNN_ACLNNOP_ACLNN_FUSED_QUANT_MATMUL_WEIGHT_NZ_H_
#define PYACLNN_ACLNNOP_ACLNN_FUSED_QUANT_MATMUL_WEIGHT_NZ_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

// As in CANN, for what includes this header.
#ifdef __cplusplus
#include <string>
#endif

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnFusedQuantMatmulWeightNzGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* x1Scale, const aclTensor* x2Scale,
    const aclTensor* yScaleOptional, const aclTensor* x1OffsetOptional,
    const aclTensor* x2OffsetOptional, const aclTensor* yOffsetOptional,
    const aclTensor* biasOptional, const aclTensor* x3Optional, const char* fusedOpType,
    int64_t groupSizeOptional, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnFusedQuantMatmulWeightNz(void* workspace, uint64_t workspaceSize,
                                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FUSED_QUANT_MATMUL_WEIGHT_NZ_H_
