// aclnnQuantBatchMatmulInplaceAdd
//
// Adds the product of two quantised matrices, restored, to yRef.
#ifndef PYACLNN_ACLNNOP_ACLNN_QUANT_BATCH_MATMUL_INPLACE_ADD_H_
#define PYACLNN_ACLNNOP_ACLNN_QUANT_BATCH_MATMUL_INPLACE_ADD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnQuantBatchMatmulInplaceAddGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* x1ScaleOptional,
    const aclTensor* x2Scale, aclTensor* yRef, bool transposeX1, bool transposeX2,
    int64_t groupSize, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnQuantBatchMatmulInplaceAdd(void* workspace, uint64_t workspaceSize,
                                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_QUANT_BATCH_MATMUL_INPLACE_ADD_H_
