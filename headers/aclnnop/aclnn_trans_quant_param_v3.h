// aclnnTransQuantParamV3
//
// Turns scales and offsets into the 64-bit form that quantised products take.
#ifndef PYACLNN_ACLNNOP_ACLNN_TRANS_QUANT_PARAM_V3_H_
#define PYACLNN_ACLNNOP_ACLNN_TRANS_QUANT_PARAM_V3_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnTransQuantParamV3GetWorkspaceSize(
    const aclTensor* scale, const aclTensor* offset, int64_t roundMode, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnTransQuantParamV3(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_TRANS_QUANT_PARAM_V3_H_
