// aclnnDynamicDualLevelMxQuant
//
// Quantises to 4 bits with two levels of scales.
#ifndef PYACLNN_ACLNNOP_ACLNN_DYNAMIC_DUAL_LEVEL_MX_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_DYNAMIC_DUAL_LEVEL_MX_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDynamicDualLevelMxQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* smoothScaleOptional, char* roundModeOptional,
    int64_t level0BlockSize, int64_t level1BlockSize, const aclTensor* yOut,
    const aclTensor* level0ScaleOut, const aclTensor* level1ScaleOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDynamicDualLevelMxQuant(void* workspace, uint64_t workspaceSize,
                                                   aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_DYNAMIC_DUAL_LEVEL_MX_QUANT_H_
