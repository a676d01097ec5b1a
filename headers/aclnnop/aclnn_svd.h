// aclnnSvd
//
// Singular values and vectors of a matrix.
#ifndef PYACLNN_ACLNNOP_ACLNN_SVD_H_
#define PYACLNN_ACLNNOP_ACLNN_SVD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSvdGetWorkspaceSize(const aclTensor* input, const bool fullMatrices,
                                               const bool computeUV, aclTensor* sigma, aclTensor* u,
                                               aclTensor* v, uint64_t* workspaceSize,
                                               aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSvd(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SVD_H_
