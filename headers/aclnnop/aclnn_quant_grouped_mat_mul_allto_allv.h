// aclnnQuantGroupedMatMulAlltoAllv
//
// Multiplies quantised tokens by each expert's matrix, then sends them back to their ranks. Since
// CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_QUANT_GROUPED_MAT_MUL_ALLTO_ALLV_H_
#define PYACLNN_ACLNNOP_ACLNN_QUANT_GROUPED_MAT_MUL_ALLTO_ALLV_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnQuantGroupedMatMulAlltoAllvGetWorkspaceSize(
    const aclTensor* gmmX, const aclTensor* gmmWeight, const aclTensor* gmmXScale,
    const aclTensor* gmmWeightScale, const aclTensor* sendCountsTensorOptional,
    const aclTensor* recvCountsTensorOptional, const aclTensor* mmXOptional,
    const aclTensor* mmWeightOptional, const aclTensor* mmXScaleOptional,
    const aclTensor* mmWeightScaleOptional, const aclTensor* commQuantScaleOptional,
    int64_t gmmXQuantMode, int64_t gmmWeightQuantMode, int64_t mmXQuantMode,
    int64_t mmWeightQuantMode, int64_t commQuantMode, int64_t commQuantDtypeOptional,
    int64_t groupSize, const char* group, int64_t epWorldSize, const aclIntArray* sendCounts,
    const aclIntArray* recvCounts, bool transGmmWeight, bool transMmWeight, const aclTensor* y,
    const aclTensor* mmYOptional, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnQuantGroupedMatMulAlltoAllv(void* workspace, uint64_t workspaceSize,
                                                       aclOpExecutor* executor,
                                                       const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_QUANT_GROUPED_MAT_MUL_ALLTO_ALLV_H_
