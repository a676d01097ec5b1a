// aclnnGeluQuant
//
// gelu(self), quantised with given or computed scales.
#ifndef PYACLNN_ACLNNOP_ACLNN_GELU_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_GELU_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnGeluQuantGetWorkspaceSize(
    const aclTensor* self, const aclTensor* inputScaleOptional,
    const aclTensor* inputOffsetOptional, const char* approximate, const char* quantMode,
    const char* roundMode, int64_t dstType, const aclTensor* y, const aclTensor* outScaleOptional,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnGeluQuant(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GELU_QUANT_H_
