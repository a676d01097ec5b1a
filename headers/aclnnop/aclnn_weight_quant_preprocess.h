// aclnnWeightQuantPreprocess
//
// Prepares a quantised weight, its scales and its bias for the products.
#ifndef PYACLNN_ACLNNOP_ACLNN_WEIGHT_QUANT_PREPROCESS_H_
#define PYACLNN_ACLNNOP_ACLNN_WEIGHT_QUANT_PREPROCESS_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnWeightQuantPreprocessGetWorkspaceSize(
    const aclTensor* weight, const aclTensor* weightScale, const aclTensor* weightOffsetOptional,
    const aclTensor* biasOptional, const aclDataType xDtype, const aclDataType xScaleDtype,
    const int64_t kGroupSize, aclTensor* outWeight, aclTensor* outWeightScale,
    aclTensor* outWeightOffsetOptional, aclTensor* outBiasOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnWeightQuantPreprocess(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_WEIGHT_QUANT_PREPROCESS_H_
