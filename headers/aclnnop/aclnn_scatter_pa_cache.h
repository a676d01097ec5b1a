// aclnnScatterPaCache
//
// Stores keys in a cache in pages, at the slots that are given. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_SCATTER_PA_CACHE_H_
#define PYACLNN_ACLNNOP_ACLNN_SCATTER_PA_CACHE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnScatterPaCacheGetWorkspaceSize(
    const aclTensor* key, aclTensor* keyCacheRef, const aclTensor* slotMapping,
    const aclTensor* compressLensOptional, const aclTensor* compressSeqOffsetOptional,
    const aclTensor* seqLensOptional, char* cacheMode, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnScatterPaCache(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SCATTER_PA_CACHE_H_
