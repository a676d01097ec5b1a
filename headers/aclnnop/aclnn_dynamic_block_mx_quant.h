// aclnnDynamicBlockMxQuant
//
// Quantises to a microscaling format in two-dimensional blocks.
#ifndef PYACLNN_ACLNNOP_ACLNN_DYNAMIC_BLOCK_MX_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_DYNAMIC_BLOCK_MX_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDynamicBlockMxQuantGetWorkspaceSize(
    const aclTensor* x, char* roundModeOptional, int64_t dstType, int64_t scaleAlg,
    double dstTypeMax, const aclTensor* yOut, const aclTensor* scale1Out,
    const aclTensor* scale2Out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDynamicBlockMxQuant(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_DYNAMIC_BLOCK_MX_QUANT_H_
