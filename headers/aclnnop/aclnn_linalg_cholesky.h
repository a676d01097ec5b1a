// aclnnLinalgCholesky
//
// The triangular factor of a positive definite matrix.
#ifndef PYACLNN_ACLNNOP_ACLNN_LINALG_CHOLESKY_H_
#define PYACLNN_ACLNNOP_ACLNN_LINALG_CHOLESKY_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnLinalgCholeskyGetWorkspaceSize(const aclTensor* self, bool upper,
                                                          aclTensor* out, uint64_t* workspaceSize,
                                                          aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnLinalgCholesky(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_LINALG_CHOLESKY_H_
