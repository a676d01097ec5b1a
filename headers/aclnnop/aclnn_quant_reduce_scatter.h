// aclnnQuantReduceScatter
//
// Sum over all ranks of a group of quantised values, of which each keeps its part. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_QUANT_REDUCE_SCATTER_H_
#define PYACLNN_ACLNNOP_ACLNN_QUANT_REDUCE_SCATTER_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnQuantReduceScatterGetWorkspaceSize(
    const aclTensor* x, const aclTensor* scales, const char* group, const char* reduceOp,
    aclTensor* output, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnQuantReduceScatter(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_QUANT_REDUCE_SCATTER_H_
