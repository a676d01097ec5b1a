// aclnnQkvRmsNormRopeCache
//
// RMS norm and rotary embedding of queries and keys out of one tensor, and storing keys and values
// in caches. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_QKV_RMS_NORM_ROPE_CACHE_H_
#define PYACLNN_ACLNNOP_ACLNN_QKV_RMS_NORM_ROPE_CACHE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnQkvRmsNormRopeCacheGetWorkspaceSize(
    const aclTensor* qkv, const aclTensor* qGamma, const aclTensor* kGamma, const aclTensor* cos,
    const aclTensor* sin, const aclTensor* index, aclTensor* qOut, aclTensor* kCache,
    aclTensor* vCache, const aclTensor* kScaleOptional, const aclTensor* vScaleOptional,
    const aclTensor* kOffsetOptional, const aclTensor* vOffsetOptional, const aclIntArray* qkvSize,
    const aclIntArray* headNums, double epsilon, char* cacheModeOptional,
    const aclTensor* qOutBeforeQuant, const aclTensor* kOutBeforeQuant,
    const aclTensor* vOutBeforeQuant, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnQkvRmsNormRopeCache(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_QKV_RMS_NORM_ROPE_CACHE_H_
