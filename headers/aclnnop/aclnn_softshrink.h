// aclnnSoftshrink
//
// out = self moved towards zero by lambd, and 0 between.
#ifndef PYACLNN_ACLNNOP_ACLNN_SOFTSHRINK_H_
#define PYACLNN_ACLNNOP_ACLNN_SOFTSHRINK_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnSoftshrinkGetWorkspaceSize(const aclTensor* self, const aclScalar* lambd,
                                                      aclTensor* out, uint64_t* workspaceSize,
                                                      aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSoftshrink(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SOFTSHRINK_H_
