// aclnnDynamicMxQuantWithDualAxis
//
// Quantises to a microscaling format along the last axis and along the one before it.
#ifndef PYACLNN_ACLNNOP_ACLNN_DYNAMIC_MX_QUANT_WITH_DUAL_AXIS_H_
#define PYACLNN_ACLNNOP_ACLNN_DYNAMIC_MX_QUANT_WITH_DUAL_AXIS_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDynamicMxQuantWithDualAxisGetWorkspaceSize(
    const aclTensor* x, char* roundModeOptional, int64_t dstType, int64_t scaleAlg,
    const aclTensor* y1Out, const aclTensor* mxscale1Out, const aclTensor* y2Out,
    const aclTensor* mxscale2Out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDynamicMxQuantWithDualAxis(void* workspace, uint64_t workspaceSize,
                                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_DYNAMIC_MX_QUANT_WITH_DUAL_AXIS_H_
