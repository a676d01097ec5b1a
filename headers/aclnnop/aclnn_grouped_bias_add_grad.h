#ifndef PYACLNN_ACLNNOP_ACLNN_GROUPED_BIAS_ADD_GRAD_H_
#define PYACLNN_ACLNNOP_ACLNN_GROUPED_BIAS_ADD_GRAD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGroupedBiasAddGrad
//
// out[g] = sum of the rows of gradY that belong to group g.
//
// gradY is (C, H), or (G, C, H) without groupIdxOptional, out (G, H). groupIdxOptional has the
// running ends of the groups; int32 or int64, up to 2048 groups. float32, float16 and bfloat16 on
// Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation.
ACLNN_API aclnnStatus aclnnGroupedBiasAddGradGetWorkspaceSize(const aclTensor* gradY,
                                                              const aclTensor* groupIdxOptional,
                                                              aclTensor* out,
                                                              uint64_t* workspaceSize,
                                                              aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnGroupedBiasAddGrad(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

// aclnnGroupedBiasAddGradV2
//
// out[g] = sum of the rows of gradY that belong to group g.
//
// gradY is (C, H), or (G, C, H) without groupIdxOptional, out (G, H). groupIdxOptional has the
// running ends of the groups for groupIdxType 0 and their lengths for 1; int32 or int64, up to 2048
// groups. float32, float16 and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation.
ACLNN_API aclnnStatus aclnnGroupedBiasAddGradV2GetWorkspaceSize(
    const aclTensor* gradY, const aclTensor* groupIdxOptional, int64_t groupIdxType, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnGroupedBiasAddGradV2(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GROUPED_BIAS_ADD_GRAD_H_
