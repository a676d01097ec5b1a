// aclnnAlltoAllvGroupedMatMulV2
//
// Sends the tokens of experts to the ranks that hold them, in uneven numbers, then multiplies them
// by each expert's matrix. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_ALLTO_ALLV_GROUPED_MAT_MUL_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_ALLTO_ALLV_GROUPED_MAT_MUL_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnAlltoAllvGroupedMatMulV2GetWorkspaceSize(
    const aclTensor* gmmX, const aclTensor* gmmWeight, const aclTensor* sendCountsTensorOptional,
    const aclTensor* recvCountsTensorOptional, const aclTensor* mmXOptional,
    const aclTensor* mmWeightOptional, const char* group, const char* commMode, int64_t epWorldSize,
    const aclIntArray* sendCounts, const aclIntArray* recvCounts, bool transGmmWeight,
    bool transMmWeight, bool permuteOutFlag, aclTensor* gmmY, aclTensor* mmYOptional,
    aclTensor* permuteOutOptional, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnAlltoAllvGroupedMatMulV2(void* workspace, uint64_t workspaceSize,
                                                    aclOpExecutor* executor,
                                                    const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ALLTO_ALLV_GROUPED_MAT_MUL_V2_H_
