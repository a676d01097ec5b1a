// aclnnFlashAttnMetadata
//
// How FlashAttn divides its work, from the lengths of the sequences. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_FLASH_ATTN_METADATA_H_
#define PYACLNN_ACLNNOP_ACLNN_FLASH_ATTN_METADATA_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnFlashAttnMetadataGetWorkspaceSize(
    const aclTensor* cuSeqlensQOptional, const aclTensor* cuSeqlensKvOptional,
    const aclTensor* sequsedQOptional, const aclTensor* sequsedKvOptional, int64_t batchSize,
    int64_t maxSeqlenQ, int64_t maxSeqlenKv, int64_t numHeadsQ, int64_t numHeadsKv, int64_t headDim,
    int64_t maskMode, int64_t winLeft, int64_t winRight, const char* layoutQ, const char* layoutKv,
    const char* layoutOut, const aclTensor* metaData, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnFlashAttnMetadata(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FLASH_ATTN_METADATA_H_
