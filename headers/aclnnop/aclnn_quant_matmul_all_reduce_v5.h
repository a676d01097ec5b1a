// aclnnQuantMatmulAllReduceV5
//
// Quantised product, dequantised and summed over all ranks of a group. Version 5 of its interface.
// Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_QUANT_MATMUL_ALL_REDUCE_V5_H_
#define PYACLNN_ACLNNOP_ACLNN_QUANT_MATMUL_ALL_REDUCE_V5_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnQuantMatmulAllReduceV5GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* biasOptional,
    const aclTensor* x3Optional, const aclTensor* x1ScaleOptional, const aclTensor* x2Scale,
    const aclTensor* commQuantScale1Optional, const aclTensor* commQuantScale2Optional,
    const char* group, const char* reduceOp, const char* commMode, int64_t commTurn,
    int64_t streamMode, int64_t groupSize, int64_t commQuantMode, const aclTensor* output,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnQuantMatmulAllReduceV5(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor,
                                                  const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_QUANT_MATMUL_ALL_REDUCE_V5_H_
