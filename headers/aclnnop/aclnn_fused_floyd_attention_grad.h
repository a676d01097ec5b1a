// aclnnFusedFloydAttentionGrad
//
// The gradients of FusedFloydAttention. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_FUSED_FLOYD_ATTENTION_GRAD_H_
#define PYACLNN_ACLNNOP_ACLNN_FUSED_FLOYD_ATTENTION_GRAD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnFusedFloydAttentionGradGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key1, const aclTensor* value1, const aclTensor* key2,
    const aclTensor* value2, const aclTensor* dy, const aclTensor* attenMaskOptional,
    const aclTensor* softmaxMax, const aclTensor* softmaxSum, const aclTensor* attentionIn,
    double scaleValue, const aclTensor* dqOut, const aclTensor* dk1Out, const aclTensor* dv1Out,
    const aclTensor* dk2Out, const aclTensor* dv2Out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnFusedFloydAttentionGrad(void* workspace, uint64_t workspaceSize,
                                                   aclOpExecutor* executor,
                                                   const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FUSED_FLOYD_ATTENTION_GRAD_H_
