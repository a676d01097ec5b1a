// aclnnFusedMatmul
//
// Matrix product with an elementwise operation on a third operand.
#ifndef PYACLNN_ACLNNOP_ACLNN_FUSED_MATMUL_H_
#define PYACLNN_ACLNNOP_ACLNN_FUSED_MATMUL_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnFusedMatmulGetWorkspaceSize(const aclTensor* x1, const aclTensor* x2,
                                                       const aclTensor* bias, const aclTensor* x3,
                                                       const char* fusedOpType, int8_t cubeMathType,
                                                       const aclTensor* y, uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnFusedMatmul(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FUSED_MATMUL_H_
