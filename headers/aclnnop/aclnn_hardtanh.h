#ifndef PYACLNN_ACLNNOP_ACLNN_HARDTANH_H_
#define PYACLNN_ACLNNOP_ACLNN_HARDTANH_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnHardtanh
//
// out = self limited to [clipValueMin, clipValueMax].
ACLNN_API aclnnStatus aclnnHardtanhGetWorkspaceSize(const aclTensor* self,
                                                    const aclScalar* clipValueMin,
                                                    const aclScalar* clipValueMax, aclTensor* out,
                                                    uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnHardtanh(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

// aclnnInplaceHardtanh
//
// selfRef = selfRef limited to [clipValueMin, clipValueMax], in place.
ACLNN_API aclnnStatus aclnnInplaceHardtanhGetWorkspaceSize(aclTensor* selfRef,
                                                           const aclScalar* clipValueMin,
                                                           const aclScalar* clipValueMax,
                                                           uint64_t* workspaceSize,
                                                           aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceHardtanh(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_HARDTANH_H_
