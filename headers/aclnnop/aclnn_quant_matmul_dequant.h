// aclnnQuantMatmulDequant
//
// Quantises x, multiplies it by a quantised matrix and restores the result.
#ifndef PYACLNN_ACLNNOP_ACLNN_QUANT_MATMUL_DEQUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_QUANT_MATMUL_DEQUANT_H_

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

ACLNN_API aclnnStatus aclnnQuantMatmulDequantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* weightScale,
    const aclTensor* biasOptional, const aclTensor* xScaleOptional,
    const aclTensor* xOffsetOptional, const aclTensor* smoothScaleOptional, char* xQuantMode,
    bool transposeWeight, const aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnQuantMatmulDequant(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_QUANT_MATMUL_DEQUANT_H_
