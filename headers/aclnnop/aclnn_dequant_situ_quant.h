// aclnnDequantSituQuant
//
// Restores values, applies the gated SiTU activation and quantises the result.
#ifndef PYACLNN_ACLNNOP_ACLNN_DEQUANT_SITU_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_DEQUANT_SITU_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDequantSituQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weightScaleOptional,
    const aclTensor* activationScaleOptional, const aclTensor* biasOptional,
    const aclTensor* quantScaleOptional, const aclTensor* quantOffsetOptional,
    const aclTensor* groupIndexOptional, float beta, float linearBeta, bool activateLeft,
    char* quantTypeOptional, const aclTensor* yOut, const aclTensor* yScaleOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDequantSituQuant(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_DEQUANT_SITU_QUANT_H_
