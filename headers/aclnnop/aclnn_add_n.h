// aclnnAddN
//
// out = sum of all tensors of a list.
#ifndef PYACLNN_ACLNNOP_ACLNN_ADD_N_H_
#define PYACLNN_ACLNNOP_ACLNN_ADD_N_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAddNGetWorkspaceSize(const aclTensorList* tensors, aclTensor* out,
                                                uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAddN(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ADD_N_H_
