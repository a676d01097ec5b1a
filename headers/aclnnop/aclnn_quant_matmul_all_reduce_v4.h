// aclnnQuantMatmulAllReduceV4
//
// Product of int8 matrices, restored by a scale and summed over all devices. Version 4 of its
// interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_QUANT_MATMUL_ALL_REDUCE_V4_H_
#define PYACLNN_ACLNNOP_ACLNN_QUANT_MATMUL_ALL_REDUCE_V4_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"
#include "hccl/hccl.h"

// As in CANN, for what includes this header.
#ifdef __cplusplus
#include <string>
#endif

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnQuantMatmulAllReduceV4GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* biasOptional,
    const aclTensor* x3Optional, const aclTensor* x1ScaleOptional, const aclTensor* x2Scale,
    const aclTensor* commQuantScale1Optional, const aclTensor* commQuantScale2Optional,
    const char* group, const char* reduceOp, int64_t commTurn, int64_t streamMode,
    int64_t groupSize, int64_t commQuantMode, const aclTensor* output, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnQuantMatmulAllReduceV4(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor,
                                                  const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_QUANT_MATMUL_ALL_REDUCE_V4_H_
