// aclnnMxToBlockMxQuant
//
// Turns a microscaling format of rows into one of two-dimensional blocks.
#ifndef PYACLNN_ACLNNOP_ACLNN_MX_TO_BLOCK_MX_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_MX_TO_BLOCK_MX_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnMxToBlockMxQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* mxscale, int64_t dstType, const aclTensor* y,
    const aclTensor* scale1, const aclTensor* scale2, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnMxToBlockMxQuant(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MX_TO_BLOCK_MX_QUANT_H_
