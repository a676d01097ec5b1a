// aclnnInplaceQuantMatmulAllReduceAddRmsNorm
//
// In place: product of int8 matrices summed over all devices, added to a residual and normalised by
// its root mean square.
#ifndef PYACLNN_ACLNNOP_ACLNN_INPLACE_QUANT_MATMUL_ALL_REDUCE_ADD_RMS_NORM_H_
#define PYACLNN_ACLNNOP_ACLNN_INPLACE_QUANT_MATMUL_ALL_REDUCE_ADD_RMS_NORM_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"
#include "hccl/hccl.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnInplaceQuantMatmulAllReduceAddRmsNormGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const aclTensor* dequantScale,
    const aclTensor* residual, const aclTensor* gamma, double epsilon, const char* group,
    const char* reduceOp, int64_t commTurn, int64_t streamMode, const aclTensor* normOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceQuantMatmulAllReduceAddRmsNorm(void* workspace,
                                                                 uint64_t workspaceSize,
                                                                 aclOpExecutor* executor,
                                                                 const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_INPLACE_QUANT_MATMUL_ALL_REDUCE_ADD_RMS_NORM_H_
