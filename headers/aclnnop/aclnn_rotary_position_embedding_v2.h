// aclnnRotaryPositionEmbeddingV2
//
// Rotary position embedding, with a matrix that turns the input where it is given. Version 2 of its
// interface. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_ROTARY_POSITION_EMBEDDING_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_ROTARY_POSITION_EMBEDDING_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnRotaryPositionEmbeddingV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* cos, const aclTensor* sin, int64_t mode,
    const aclTensor* rotate, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnRotaryPositionEmbeddingV2(void* workspace, uint64_t workspaceSize,
                                                     aclOpExecutor* executor,
                                                     const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ROTARY_POSITION_EMBEDDING_V2_H_
