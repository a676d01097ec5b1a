// aclnnSquaredRelu
//
// out = relu(self)^2.
#ifndef PYACLNN_ACLNNOP_ACLNN_SQUARED_RELU_H_
#define PYACLNN_ACLNNOP_ACLNN_SQUARED_RELU_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSquaredReluGetWorkspaceSize(const aclTensor* input, const aclTensor* out,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSquaredRelu(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SQUARED_RELU_H_
