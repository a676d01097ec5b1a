// aclnnQuantAllReduce
//
// Sum over all ranks of a group of quantised values, dequantised. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_QUANT_ALL_REDUCE_H_
#define PYACLNN_ACLNNOP_ACLNN_QUANT_ALL_REDUCE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnQuantAllReduceGetWorkspaceSize(
    const aclTensor* x, const aclTensor* scales, const char* group, const char* reduceOp,
    aclTensor* output, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnQuantAllReduce(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_QUANT_ALL_REDUCE_H_
