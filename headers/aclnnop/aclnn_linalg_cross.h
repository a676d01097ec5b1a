// aclnnLinalgCross
//
// out = cross product of vectors of three elements along dim.
#ifndef PYACLNN_ACLNNOP_ACLNN_LINALG_CROSS_H_
#define PYACLNN_ACLNNOP_ACLNN_LINALG_CROSS_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnLinalgCrossGetWorkspaceSize(const aclTensor* self,
                                                       const aclTensor* other, int64_t dim,
                                                       aclTensor* out, uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnLinalgCross(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_LINALG_CROSS_H_
