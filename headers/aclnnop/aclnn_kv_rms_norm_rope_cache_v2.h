// aclnnKvRmsNormRopeCacheV2
//
// RMS norm of the compressed key and value, rotary embedding of the key, and storing both in a
// cache. Version 2 of its interface. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_KV_RMS_NORM_ROPE_CACHE_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_KV_RMS_NORM_ROPE_CACHE_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnKvRmsNormRopeCacheV2GetWorkspaceSize(
    const aclTensor* kv, const aclTensor* gamma, const aclTensor* cos, const aclTensor* sin,
    const aclTensor* index, aclTensor* kCacheRef, aclTensor* ckvCacheRef,
    const aclTensor* kRopeScaleOptional, const aclTensor* cKvScaleOptional,
    const aclTensor* kRopeOffsetOptional, const aclTensor* cKvOffsetOptional,
    const aclTensor* vOptional, double epsilon, char* cacheModeOptional, bool isOutputKv,
    const aclTensor* kRopeOut, const aclTensor* cKvOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnKvRmsNormRopeCacheV2(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_KV_RMS_NORM_ROPE_CACHE_V2_H_
