// aclnnGroupedMatmulSwigluQuantWeightNzV2
//
// GroupedMatmulSwigluQuantV2 with weights in FRACTAL_NZ. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_GROUPED_MATMUL_SWIGLU_QUANT_WEIGHT_NZ_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_GROUPED_MATMUL_SWIGLU_QUANT_WEIGHT_NZ_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnGroupedMatmulSwigluQuantWeightNzV2GetWorkspaceSize(
    const aclTensor* x, const aclTensorList* weight, const aclTensorList* weightScale,
    const aclTensorList* weightAssistMatrix, const aclTensor* bias, const aclTensor* xScale,
    const aclTensor* smoothScale, const aclTensor* groupList, int64_t dequantMode,
    int64_t dequantDtype, int64_t quantMode, int64_t groupListType,
    const aclIntArray* tuningConfigOptional, aclTensor* output, aclTensor* outputScale,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnGroupedMatmulSwigluQuantWeightNzV2(void* workspace,
                                                              uint64_t workspaceSize,
                                                              aclOpExecutor* executor,
                                                              const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GROUPED_MATMUL_SWIGLU_QUANT_WEIGHT_NZ_V2_H_
