// aclnnMatmulCompressDequant
//
// Quantised matrix product with a compressed right operand, restored by a scale.
#ifndef PYACLNN_ACLNNOP_ACLNN_MATMUL_COMPRESS_DEQUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_MATMUL_COMPRESS_DEQUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMatmulCompressDequantGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* compressIndex, const aclTensor* bias,
    const aclTensor* deqScale, const aclTensor* offsetW, int offsetX,
    const aclIntArray* compressInfo, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMatmulCompressDequant(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MATMUL_COMPRESS_DEQUANT_H_
