// aclnnQuantMatmulAllReduceV3
//
// Product of int8 matrices, restored by a scale and summed over all devices. Version 3 of its
// interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_QUANT_MATMUL_ALL_REDUCE_V3_H_
#define PYACLNN_ACLNNOP_ACLNN_QUANT_MATMUL_ALL_REDUCE_V3_H_

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

ACLNN_API aclnnStatus aclnnQuantMatmulAllReduceV3GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* biasOptional,
    const aclTensor* x3Optional, const aclTensor* dequantScale,
    const aclTensor* pertokenScaleOptional, const aclTensor* commQuantScale1Optional,
    const aclTensor* commQuantScale2Optional, const char* group, const char* reduceOp,
    int64_t commTurn, int64_t streamMode, const aclTensor* output, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnQuantMatmulAllReduceV3(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor,
                                                  const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_QUANT_MATMUL_ALL_REDUCE_V3_H_
