// aclnnLinalgQr
//
// Orthogonal and triangular factor of a matrix.
#ifndef PYACLNN_ACLNNOP_ACLNN_LINALG_QR_H_
#define PYACLNN_ACLNNOP_ACLNN_LINALG_QR_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnLinalgQrGetWorkspaceSize(const aclTensor* self, int64_t mode,
                                                    aclTensor* Q, aclTensor* R,
                                                    uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnLinalgQr(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_LINALG_QR_H_
