// aclnnFlatQuant
//
// Multiplies each matrix of x by a small one on both sides and quantises the result.
#ifndef PYACLNN_ACLNNOP_ACLNN_FLAT_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_FLAT_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnFlatQuantGetWorkspaceSize(const aclTensor* x,
                                                     const aclTensor* kroneckerP1,
                                                     const aclTensor* kroneckerP2, double clipRatio,
                                                     aclTensor* out, aclTensor* quantScale,
                                                     uint64_t* workspaceSize,
                                                     aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnFlatQuant(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FLAT_QUANT_H_
