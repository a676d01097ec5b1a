// aclnnGroupedDynamicMxQuantV2
//
// Quantises groups of rows to a microscaling format. Version 2 of its interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_GROUPED_DYNAMIC_MX_QUANT_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_GROUPED_DYNAMIC_MX_QUANT_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnGroupedDynamicMxQuantV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* groupIndex, const char* roundMode, int64_t dstType,
    int64_t blocksize, int64_t scaleAlg, double dstTypeMax, const aclTensor* y,
    const aclTensor* mxscale, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnGroupedDynamicMxQuantV2(void* workspace, uint64_t workspaceSize,
                                                   aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GROUPED_DYNAMIC_MX_QUANT_V2_H_
