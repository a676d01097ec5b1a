// aclnnMatmulReduceScatter
//
// Matrix product, summed over all devices, of which each keeps a part.
#ifndef PYACLNN_ACLNNOP_ACLNN_MATMUL_REDUCE_SCATTER_H_
#define PYACLNN_ACLNNOP_ACLNN_MATMUL_REDUCE_SCATTER_H_

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

ACLNN_API aclnnStatus aclnnMatmulReduceScatterGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const char* group,
    const char* reduceOp, int64_t commTurn, int64_t streamMode, const aclTensor* output,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMatmulReduceScatter(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MATMUL_REDUCE_SCATTER_H_
