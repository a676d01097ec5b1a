// aclnnAntiMxQuant
//
// Restores floating point values from a microscaling format.
#ifndef PYACLNN_ACLNNOP_ACLNN_ANTI_MX_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_ANTI_MX_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAntiMxQuantGetWorkspaceSize(const aclTensor* x, const aclTensor* mxscale,
                                                       int64_t axis, int64_t dstType,
                                                       const aclTensor* y, uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAntiMxQuant(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ANTI_MX_QUANT_H_
