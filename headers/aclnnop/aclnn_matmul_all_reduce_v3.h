// aclnnMatmulAllReduceV3
//
// Multiplies by a matrix and sums over all ranks of a group. Version 3 of its interface. Since CANN
// 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_MATMUL_ALL_REDUCE_V3_H_
#define PYACLNN_ACLNNOP_ACLNN_MATMUL_ALL_REDUCE_V3_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMatmulAllReduceV3GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const aclTensor* x3,
    const char* group, const char* reduceOp, const char* commMode, int64_t commTurn,
    int64_t streamMode, const aclTensor* output, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMatmulAllReduceV3(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MATMUL_ALL_REDUCE_V3_H_
