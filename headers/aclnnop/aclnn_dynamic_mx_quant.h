// aclnnDynamicMxQuant
//
// Quantises to a microscaling format: a shared exponent for each block along an axis.
#ifndef PYACLNN_ACLNNOP_ACLNN_DYNAMIC_MX_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_DYNAMIC_MX_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDynamicMxQuantGetWorkspaceSize(
    const aclTensor* x, int64_t axis, char* roundModeOptional, int64_t dstType, int64_t blocksize,
    int64_t scaleAlg, const aclTensor* yOut, const aclTensor* mxscaleOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDynamicMxQuant(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_DYNAMIC_MX_QUANT_H_
