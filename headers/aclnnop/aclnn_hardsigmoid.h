#ifndef PYACLNN_ACLNNOP_ACLNN_HARDSIGMOID_H_
#define PYACLNN_ACLNNOP_ACLNN_HARDSIGMOID_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnHardsigmoid
//
// out = (self + 3) / 6 limited to [0, 1].
ACLNN_API aclnnStatus aclnnHardsigmoidGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnHardsigmoid(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, const aclrtStream stream);

// aclnnInplaceHardsigmoid
//
// self = (self + 3) / 6 limited to [0, 1], in place.
ACLNN_API aclnnStatus aclnnInplaceHardsigmoidGetWorkspaceSize(const aclTensor* self,
                                                              uint64_t* workspaceSize,
                                                              aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceHardsigmoid(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_HARDSIGMOID_H_
