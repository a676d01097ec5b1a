// aclnnMaxUnpool2d
//
// Puts values back to the places of the plane that a max pooling took them from, with 0 elsewhere.
#ifndef PYACLNN_ACLNNOP_ACLNN_MAX_UNPOOL2D_H_
#define PYACLNN_ACLNNOP_ACLNN_MAX_UNPOOL2D_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMaxUnpool2dGetWorkspaceSize(const aclTensor* self,
                                                       const aclTensor* indices,
                                                       const aclIntArray* outputSize,
                                                       aclTensor* out, uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMaxUnpool2d(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MAX_UNPOOL2D_H_
