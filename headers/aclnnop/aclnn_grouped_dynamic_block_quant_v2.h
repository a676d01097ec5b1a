// aclnnGroupedDynamicBlockQuantV2
//
// Quantises groups of rows in two-dimensional blocks with a scale computed for each. Version 2 of
// its interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_GROUPED_DYNAMIC_BLOCK_QUANT_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_GROUPED_DYNAMIC_BLOCK_QUANT_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnGroupedDynamicBlockQuantV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* groupList, double minScale, char* roundModeOptional,
    int64_t dstType, int64_t rowBlockSize, int64_t colBlockSize, int64_t groupListType,
    double dstTypeMax, const aclTensor* yOut, const aclTensor* scaleOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnGroupedDynamicBlockQuantV2(void* workspace, uint64_t workspaceSize,
                                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GROUPED_DYNAMIC_BLOCK_QUANT_V2_H_
