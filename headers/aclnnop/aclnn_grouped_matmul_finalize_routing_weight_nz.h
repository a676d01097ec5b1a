// aclnnGroupedMatmulFinalizeRoutingWeightNz
//
// Matrix products of experts, weighted and added up for each token. The right matrix is in the NZ
// layout.
#ifndef PYACLNN_ACLNNOP_ACLNN_GROUPED_MATMUL_FINALIZE_ROUTING_WEIGHT_NZ_H_
#define PYACLNN_ACLNNOP_ACLNN_GROUPED_MATMUL_FINALIZE_ROUTING_WEIGHT_NZ_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// CANN 8.1 declares (const aclTensor *x, const aclTensor *w, const aclTensor *scaleOptional, const
// aclTensor *biasOptional, const aclTensor *pertokenScaleOptional, const aclTensor
// *groupListOptional, const aclTensor *sharedInputOptional, const aclTensor *logitOptional, const
// aclTensor *rowIndexOptional, int64_t dtype, float sharedInputWeight, int64_t sharedInputOffset,
// bool transposeX, bool transposeW, int64_t groupListType, aclTensor *y, uint64_t *workspaceSize,
// aclOpExecutor **executor).
ACLNN_API aclnnStatus aclnnGroupedMatmulFinalizeRoutingWeightNzGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* scale, const aclTensor* bias,
    const aclTensor* pertokenScaleOptional, const aclTensor* groupList,
    const aclTensor* sharedInput, const aclTensor* logit, const aclTensor* rowIndex, int64_t dtype,
    float sharedInputWeight, int64_t sharedInputOffset, bool transposeX1, bool transposeX2,
    int64_t groupListType, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnGroupedMatmulFinalizeRoutingWeightNz(void* workspace,
                                                                uint64_t workspaceSize,
                                                                aclOpExecutor* executor,
                                                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GROUPED_MATMUL_FINALIZE_ROUTING_WEIGHT_NZ_H_
