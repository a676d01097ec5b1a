// aclnnDynamicBlockQuant
//
// Quantises in two-dimensional blocks with a scale computed for each.
#ifndef PYACLNN_ACLNNOP_ACLNN_DYNAMIC_BLOCK_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_DYNAMIC_BLOCK_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDynamicBlockQuantGetWorkspaceSize(
    const aclTensor* x, double minScale, char* roundModeOptional, int64_t dstType,
    int64_t rowBlockSize, int64_t colBlockSize, const aclTensor* yOut, const aclTensor* scaleOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDynamicBlockQuant(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_DYNAMIC_BLOCK_QUANT_H_
