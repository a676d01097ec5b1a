// aclnnAttentionUpdate
//
// Joins parts of one attention, computed over parts of the keys, by their log-sum-exp. Since CANN
// 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_ATTENTION_UPDATE_H_
#define PYACLNN_ACLNNOP_ACLNN_ATTENTION_UPDATE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnAttentionUpdateGetWorkspaceSize(
    const aclTensorList* lse, const aclTensorList* localOut, int64_t updateType, aclTensor* out,
    aclTensor* lseOut, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnAttentionUpdate(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ATTENTION_UPDATE_H_
