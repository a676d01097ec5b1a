// aclnnQuantGroupedMatmulDequant
//
// Quantises groups of rows, multiplies them by quantised matrices and restores the results.
#ifndef PYACLNN_ACLNNOP_ACLNN_QUANT_GROUPED_MATMUL_DEQUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_QUANT_GROUPED_MATMUL_DEQUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Only in CANN 8.1.
ACLNN_API aclnnStatus aclnnQuantGroupedMatmulDequantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* weightScale,
    const aclTensor* groupList, const aclTensor* biasOptional, const aclTensor* xScaleOptional,
    const aclTensor* xOffsetOptional, const aclTensor* smoothScaleOptional, char* xQuantMode,
    bool transposeWeight, const aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Only in CANN 8.1.
ACLNN_API aclnnStatus aclnnQuantGroupedMatmulDequant(void* workspace, uint64_t workspaceSize,
                                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_QUANT_GROUPED_MATMUL_DEQUANT_H_
