// aclnnMatmulCompress
//
// Matrix product with a compressed right operand.
#ifndef PYACLNN_ACLNNOP_ACLNN_MATMUL_COMPRESS_H_
#define PYACLNN_ACLNNOP_ACLNN_MATMUL_COMPRESS_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnMatmulCompressGetWorkspaceSize(const aclTensor* x,
                                                          const aclTensor* weight,
                                                          const aclTensor* bias,
                                                          const aclTensor* compressIndex,
                                                          aclTensor* out, uint64_t* workspaceSize,
                                                          aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnMatmulCompress(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MATMUL_COMPRESS_H_
