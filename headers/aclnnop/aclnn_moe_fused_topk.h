// aclnnMoeFusedTopk
//
// The experts of each token: scores by sigmoid, groups, the largest, and their weights. Since CANN
// 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_MOE_FUSED_TOPK_H_
#define PYACLNN_ACLNNOP_ACLNN_MOE_FUSED_TOPK_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMoeFusedTopkGetWorkspaceSize(
    const aclTensor* x, const aclTensor* addNum, const aclTensor* mappingNum,
    const aclTensor* mappingTable, uint32_t groupNum, uint32_t groupTopk, uint32_t topN,
    uint32_t topK, uint32_t activateType, bool isNorm, float scale, bool enableExpertMapping,
    aclTensor* y, aclTensor* indices, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMoeFusedTopk(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MOE_FUSED_TOPK_H_
