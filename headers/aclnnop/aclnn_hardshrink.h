// aclnnHardshrink
//
// out = self where |self| > lambd, and 0 elsewhere.
#ifndef PYACLNN_ACLNNOP_ACLNN_HARDSHRINK_H_
#define PYACLNN_ACLNNOP_ACLNN_HARDSHRINK_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnHardshrinkGetWorkspaceSize(const aclTensor* self, const aclScalar* lambd,
                                                      aclTensor* out, uint64_t* workspaceSize,
                                                      aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnHardshrink(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_HARDSHRINK_H_
