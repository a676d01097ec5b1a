// aclnnFlatQuantV2
//
// Multiplies each matrix of x by a small one on both sides and quantises the result. Version 2 of
// its interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_FLAT_QUANT_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_FLAT_QUANT_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnFlatQuantV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* kroneckerP1, const aclTensor* kroneckerP2,
    double clipRatio, double dstTypeMax, aclTensor* out, aclTensor* quantScale,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnFlatQuantV2(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FLAT_QUANT_V2_H_
