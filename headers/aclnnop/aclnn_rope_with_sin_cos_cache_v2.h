// aclnnRopeWithSinCosCacheV2
//
// Rotary embedding of queries and keys by positions into a table of cosines and sines. Version 2 of
// its interface. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_ROPE_WITH_SIN_COS_CACHE_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_ROPE_WITH_SIN_COS_CACHE_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnRopeWithSinCosCacheV2GetWorkspaceSize(
    const aclTensor* positions, const aclTensor* queryIn, const aclTensor* keyIn,
    const aclTensor* cosSinCache, const aclIntArray* mropeSection, int64_t headSize,
    bool isNeoxStyle, int64_t cacheMode, aclTensor* queryOut, aclTensor* keyOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnRopeWithSinCosCacheV2(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ROPE_WITH_SIN_COS_CACHE_V2_H_
