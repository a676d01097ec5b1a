// aclnnWeightQuantMatmulAllReduceV2
//
// Product by a quantised matrix, summed over all ranks of a group. Version 2 of its interface.
// Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_WEIGHT_QUANT_MATMUL_ALL_REDUCE_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_WEIGHT_QUANT_MATMUL_ALL_REDUCE_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnWeightQuantMatmulAllReduceV2GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias,
    const aclTensor* antiquantScale, const aclTensor* antiquantOffset, const aclTensor* x3,
    const char* group, const char* reduceOp, const char* commMode, int64_t commTurn,
    int64_t streamMode, int64_t antiquantGroupSize, const aclTensor* output,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnWeightQuantMatmulAllReduceV2(void* workspace, uint64_t workspaceSize,
                                                        aclOpExecutor* executor,
                                                        const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_WEIGHT_QUANT_MATMUL_ALL_REDUCE_V2_H_
