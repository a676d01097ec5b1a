// aclnnSituMxQuant
//
// The gated activation SiTU, quantised to a microscaling format.
#ifndef PYACLNN_ACLNNOP_ACLNN_SITU_MX_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_SITU_MX_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSituMxQuantGetWorkspaceSize(
    const aclTensor* x, float beta, float linearBeta, bool activateLeft, int64_t axis,
    int64_t dstType, char* roundModeOptional, const aclTensor* yOut, const aclTensor* yScaleOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSituMxQuant(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SITU_MX_QUANT_H_
