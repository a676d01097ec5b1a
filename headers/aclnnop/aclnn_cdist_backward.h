#ifndef PYACLNN_ACLNNOP_ACLNN_CDIST_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_CDIST_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnCdistBackwardGetWorkspaceSize(const aclTensor* grad, const aclTensor* x1,
                                                         const aclTensor* x2,
                                                         const aclTensor* cdist, float p,
                                                         aclTensor* out, uint64_t* workspaceSize,
                                                         aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnCdistBackward(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CDIST_BACKWARD_H_
