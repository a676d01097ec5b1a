// aclnnMatmulEmuSplitWeight
//
// Matrix product whose weight is given as a high and a scaled low part.
#ifndef PYACLNN_ACLNNOP_ACLNN_MATMUL_EMU_SPLIT_WEIGHT_H_
#define PYACLNN_ACLNNOP_ACLNN_MATMUL_EMU_SPLIT_WEIGHT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnMatmulEmuSplitWeightGetWorkspaceSize(
    const aclTensor* x, const aclTensor* wHigh, const aclTensor* wLow, const aclTensor* y,
    float wLowScale, int8_t yDtype, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnMatmulEmuSplitWeight(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MATMUL_EMU_SPLIT_WEIGHT_H_
