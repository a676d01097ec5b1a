// aclnnAlltoAllvQuantGroupedMatMul
//
// Sends the tokens of experts to the ranks that hold them, then multiplies them by each expert's
// matrix in a quantised dtype. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_ALLTO_ALLV_QUANT_GROUPED_MAT_MUL_H_
#define PYACLNN_ACLNNOP_ACLNN_ALLTO_ALLV_QUANT_GROUPED_MAT_MUL_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnAlltoAllvQuantGroupedMatMulGetWorkspaceSize(
    const aclTensor* gmmX, const aclTensor* gmmWeight, const aclTensor* gmmXScale,
    const aclTensor* gmmWeightScale, const aclTensor* sendCountsTensorOptional,
    const aclTensor* recvCountsTensorOptional, const aclTensor* mmXOptional,
    const aclTensor* mmWeightOptional, const aclTensor* mmXScaleOptional,
    const aclTensor* mmWeightScaleOptional, int64_t gmmXQuantMode, int64_t gmmWeightQuantMode,
    int64_t mmXQuantMode, int64_t mmWeightQuantMode, const char* group, int64_t epWorldSize,
    const aclIntArray* sendCounts, const aclIntArray* recvCounts, bool transGmmWeight,
    bool transMmWeight, int64_t groupSize, bool permuteOutFlag, aclTensor* gmmY,
    aclTensor* mmYOptional, aclTensor* permuteOutOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnAlltoAllvQuantGroupedMatMul(void* workspace, uint64_t workspaceSize,
                                                       aclOpExecutor* executor,
                                                       const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ALLTO_ALLV_QUANT_GROUPED_MAT_MUL_H_
