// aclnnGatherPaKvCache
//
// Copies the keys and values of sequences out of a cache in pages. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_GATHER_PA_KV_CACHE_H_
#define PYACLNN_ACLNNOP_ACLNN_GATHER_PA_KV_CACHE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnGatherPaKvCacheGetWorkspaceSize(
    const aclTensor* keyCache, const aclTensor* valueCache, const aclTensor* blockTables,
    const aclTensor* seqLens, aclTensor* keyRef, aclTensor* valueRef,
    const aclTensor* seqOffsetOptional, char* cacheMode, bool isSeqLensCumsum,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnGatherPaKvCache(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GATHER_PA_KV_CACHE_H_
