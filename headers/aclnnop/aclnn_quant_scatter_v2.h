// aclnnInplaceQuantScatterV2
//
// Quantises updates and writes them to the slices of selfRef that indices names. Version 2 of its
// interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_QUANT_SCATTER_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_QUANT_SCATTER_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnInplaceQuantScatterV2GetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* indices, const aclTensor* updates,
    const aclTensor* quantScales, const aclTensor* quantZeroPoints, int64_t axis, int64_t quantAxis,
    int64_t reduction, const char* roundMode, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnInplaceQuantScatterV2(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_QUANT_SCATTER_V2_H_
