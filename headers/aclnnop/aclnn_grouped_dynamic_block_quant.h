// aclnnGroupedDynamicBlockQuant
//
// Quantises groups of rows in two-dimensional blocks with a scale computed for each.
#ifndef PYACLNN_ACLNNOP_ACLNN_GROUPED_DYNAMIC_BLOCK_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_GROUPED_DYNAMIC_BLOCK_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnGroupedDynamicBlockQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* groupList, double minScale, char* roundModeOptional,
    int64_t dstType, int64_t rowBlockSize, int64_t colBlockSize, int64_t groupListType,
    const aclTensor* yOut, const aclTensor* scaleOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnGroupedDynamicBlockQuant(void* workspace, uint64_t workspaceSize,
                                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GROUPED_DYNAMIC_BLOCK_QUANT_H_
