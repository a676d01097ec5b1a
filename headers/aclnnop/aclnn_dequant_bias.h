// aclnnDequantBias
//
// Restores floating point values from int32 sums by two scales, and adds a bias.
#ifndef PYACLNN_ACLNNOP_ACLNN_DEQUANT_BIAS_H_
#define PYACLNN_ACLNNOP_ACLNN_DEQUANT_BIAS_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnDequantBiasGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weightScale, const aclTensor* activateScaleOptional,
    const aclTensor* biasOptional, int64_t outputDtype, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnDequantBias(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_DEQUANT_BIAS_H_
