#ifndef PYACLNN_ACLNNOP_ACLNN_MATMUL_H_
#define PYACLNN_ACLNNOP_ACLNN_MATMUL_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMatmul
//
// out = self @ mat2, with the rules of NumPy's matmul.
ACLNN_API aclnnStatus aclnnMatmulGetWorkspaceSize(const aclTensor* self, const aclTensor* mat2,
                                                  aclTensor* out, int8_t cubeMathType,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMatmul(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream);

// aclnnMatmulWeightNz
//
// out = self @ mat2, with the rules of NumPy's matmul. The right matrix is in the NZ layout.
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnMatmulWeightNzGetWorkspaceSize(const aclTensor* self,
                                                          const aclTensor* mat2, aclTensor* out,
                                                          int8_t cubeMathType,
                                                          uint64_t* workspaceSize,
                                                          aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnMatmulWeightNz(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MATMUL_H_
