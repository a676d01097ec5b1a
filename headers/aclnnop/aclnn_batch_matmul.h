#ifndef PYACLNN_ACLNNOP_ACLNN_BATCH_MATMUL_H_
#define PYACLNN_ACLNNOP_ACLNN_BATCH_MATMUL_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnBatchMatMul
//
// out = self @ mat2, matrix by matrix.
ACLNN_API aclnnStatus aclnnBatchMatMulGetWorkspaceSize(const aclTensor* self, const aclTensor* mat2,
                                                       aclTensor* out, int8_t cubeMathType,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnBatchMatMul(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

// aclnnBatchMatMulWeightNz
//
// out = self @ mat2, matrix by matrix. The right matrix is in the NZ layout.
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnBatchMatMulWeightNzGetWorkspaceSize(const aclTensor* self,
                                                               const aclTensor* mat2,
                                                               aclTensor* out, int8_t cubeMathType,
                                                               uint64_t* workspaceSize,
                                                               aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnBatchMatMulWeightNz(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_BATCH_MATMUL_H_
