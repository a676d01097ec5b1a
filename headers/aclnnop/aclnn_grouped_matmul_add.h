// aclnnGroupedMatmulAdd
//
// Adds to yRef, for every group of rows, the product of x^T and weight.
#ifndef PYACLNN_ACLNNOP_ACLNN_GROUPED_MATMUL_ADD_H_
#define PYACLNN_ACLNNOP_ACLNN_GROUPED_MATMUL_ADD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnGroupedMatmulAddGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* groupList, aclTensor* yRef,
    bool transposeX, bool transposeWeight, int64_t groupType, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnGroupedMatmulAdd(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GROUPED_MATMUL_ADD_H_
