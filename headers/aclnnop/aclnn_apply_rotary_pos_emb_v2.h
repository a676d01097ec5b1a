// aclnnApplyRotaryPosEmbV2
//
// Rotates query and key by the angles of their positions, in place. Version 2 of its interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_APPLY_ROTARY_POS_EMB_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_APPLY_ROTARY_POS_EMB_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnApplyRotaryPosEmbV2GetWorkspaceSize(
    aclTensor* queryRef, aclTensor* keyRef, const aclTensor* cos, const aclTensor* sin,
    int64_t layout, char* rotaryMode, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnApplyRotaryPosEmbV2(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_APPLY_ROTARY_POS_EMB_V2_H_
