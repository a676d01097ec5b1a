// aclnnFastGelu
//
// out = self * sigmoid(1.702 * self).
#ifndef PYACLNN_ACLNNOP_ACLNN_FAST_GELU_H_
#define PYACLNN_ACLNNOP_ACLNN_FAST_GELU_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnFastGeluGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                                    uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnFastGelu(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FAST_GELU_H_
