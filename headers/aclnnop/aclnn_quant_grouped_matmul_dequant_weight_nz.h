// aclnnQuantGroupedMatmulDequantWeightNZ
//
// Quantised products by group with weights in FRACTAL_NZ, dequantised. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_QUANT_GROUPED_MATMUL_DEQUANT_WEIGHT_NZ_H_
#define PYACLNN_ACLNNOP_ACLNN_QUANT_GROUPED_MATMUL_DEQUANT_WEIGHT_NZ_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnQuantGroupedMatmulDequantWeightNZGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* weightScale,
    const aclTensor* groupList, const aclTensor* biasOptional, const aclTensor* xScaleOptional,
    const aclTensor* xOffsetOptional, const aclTensor* smoothScaleOptional, char* xQuantMode,
    bool transposeWeight, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnQuantGroupedMatmulDequantWeightNZ(void* workspace,
                                                             uint64_t workspaceSize,
                                                             aclOpExecutor* executor,
                                                             const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_QUANT_GROUPED_MATMUL_DEQUANT_WEIGHT_NZ_H_
