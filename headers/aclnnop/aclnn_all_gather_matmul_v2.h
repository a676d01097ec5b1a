// aclnnAllGatherMatmulV2
//
// Gathers the rows of all ranks of a group and multiplies them by a matrix, quantised forms
// included. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_ALL_GATHER_MATMUL_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_ALL_GATHER_MATMUL_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnAllGatherMatmulV2GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const aclTensor* x1Scale,
    const aclTensor* x2Scale, const aclTensor* quantScale, int64_t blockSize, const char* group,
    int64_t gatherIndex, int64_t commTurn, int64_t streamMode, int64_t groupSize,
    const char* commMode, aclTensor* output, aclTensor* gatherOut, aclTensor* amaxOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnAllGatherMatmulV2(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ALL_GATHER_MATMUL_V2_H_
