// aclnnFlashAttn
//
// Attention with a plan made beforehand by FlashAttnMetadata. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_FLASH_ATTN_H_
#define PYACLNN_ACLNNOP_ACLNN_FLASH_ATTN_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnFlashAttnGetWorkspaceSize(
    const aclTensor* q, const aclTensor* k, const aclTensor* v, const aclTensor* blockTableOptional,
    const aclTensor* cuSeqlensQOptional, const aclTensor* cuSeqlensKvOptional,
    const aclTensor* sequsedQOptional, const aclTensor* sequsedKvOptional,
    const aclTensor* sinksOptional, const aclTensor* attnMaskOptional,
    const aclTensor* metadataOptional, double softmaxScale, int64_t maskMode, int64_t winLeft,
    int64_t winRight, int64_t maxSeqlenQ, int64_t maxSeqlenKV, const char* layoutQ,
    const char* layoutKv, const char* layoutOut, int64_t returnSoftmaxLse, const aclTensor* attnOut,
    const aclTensor* softmaxLseOptional, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnFlashAttn(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FLASH_ATTN_H_
