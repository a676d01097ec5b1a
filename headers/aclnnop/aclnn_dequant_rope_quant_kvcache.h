// aclnnDequantRopeQuantKvcache
//
// Restores query, key and value, rotates the first two by position, quantises and stores the others
// in the caches.
#ifndef PYACLNN_ACLNNOP_ACLNN_DEQUANT_ROPE_QUANT_KVCACHE_H_
#define PYACLNN_ACLNNOP_ACLNN_DEQUANT_ROPE_QUANT_KVCACHE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnDequantRopeQuantKvcacheGetWorkspaceSize(
    const aclTensor* x, const aclTensor* cos, const aclTensor* sin, aclTensor* kCacheRef,
    aclTensor* vCacheRef, const aclTensor* indices, const aclTensor* scaleK,
    const aclTensor* scaleV, const aclTensor* offsetKOptional, const aclTensor* offsetVOptional,
    const aclTensor* weightScaleOptional, const aclTensor* activationScaleOptional,
    const aclTensor* biasOptional, const aclIntArray* sizeSplits, char* quantModeOptional,
    char* layoutOptional, bool kvOutput, char* cacheModeOptional, const aclTensor* qOut,
    const aclTensor* kOut, const aclTensor* vOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnDequantRopeQuantKvcache(void* workspace, uint64_t workspaceSize,
                                                   aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_DEQUANT_ROPE_QUANT_KVCACHE_H_
