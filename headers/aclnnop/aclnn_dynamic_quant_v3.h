// aclnnDynamicQuantV3
//
// Quantises to int8 or int4 with a scale computed for each row. Version 3 of its interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_DYNAMIC_QUANT_V3_H_
#define PYACLNN_ACLNNOP_ACLNN_DYNAMIC_QUANT_V3_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDynamicQuantV3GetWorkspaceSize(
    const aclTensor* x, const aclTensor* smoothScalesOptional, const aclTensor* groupIndexOptional,
    int64_t dstType, bool isSymmetrical, const char* quantMode, const aclTensor* yOut,
    const aclTensor* scaleOut, const aclTensor* offsetOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDynamicQuantV3(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_DYNAMIC_QUANT_V3_H_
