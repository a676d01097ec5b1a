// aclRfft1D
//
// One-dimensional Fourier transform of real numbers; only the non-negative frequencies are stored.
#ifndef PYACLNN_ACLNNOP_ACL_RFFT1D_H_
#define PYACLNN_ACLNNOP_ACL_RFFT1D_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclRfft1DGetWorkspaceSize(const aclTensor* self, int64_t n, int64_t dim,
                                                int64_t norm, aclTensor* out,
                                                uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclRfft1D(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACL_RFFT1D_H_
