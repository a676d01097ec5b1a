// aclnnGroupedMatmulAddV2
//
// y += the products of groups along the inner dimension, for gradients of experts' weights. Since
// CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_GROUPED_MATMUL_ADD_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_GROUPED_MATMUL_ADD_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnGroupedMatmulAddV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* groupList, aclTensor* yRef,
    bool transposeX, bool transposeWeight, int64_t groupType, int64_t groupListType,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnGroupedMatmulAddV2(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GROUPED_MATMUL_ADD_V2_H_
