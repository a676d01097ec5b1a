// aclnnGroupedMatmulFinalizeRoutingWeightNzV2
//
// Matrix products of experts, weighted and added up for each token. The right matrix is in the NZ
// layout. Version 2 of its interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_GROUPED_MATMUL_FINALIZE_ROUTING_WEIGHT_NZ_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_GROUPED_MATMUL_FINALIZE_ROUTING_WEIGHT_NZ_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnGroupedMatmulFinalizeRoutingWeightNzV2GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* scale, const aclTensor* bias,
    const aclTensor* offsetOptional, const aclTensor* antiquantScaleOptional,
    const aclTensor* antiquantOffsetOptional, const aclTensor* pertokenScaleOptional,
    const aclTensor* groupList, const aclTensor* sharedInput, const aclTensor* logit,
    const aclTensor* rowIndex, int64_t dtype, float sharedInputWeight, int64_t sharedInputOffset,
    bool transposeX1, bool transposeX2, int64_t groupListType,
    const aclIntArray* tuningConfigOptional, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnGroupedMatmulFinalizeRoutingWeightNzV2(void* workspace,
                                                                  uint64_t workspaceSize,
                                                                  aclOpExecutor* executor,
                                                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GROUPED_MATMUL_FINALIZE_ROUTING_WEIGHT_NZ_V2_H_
