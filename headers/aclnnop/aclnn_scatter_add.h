// aclnnScatterAdd
//
// out = self with src added at the places that index names along dim.
#ifndef PYACLNN_ACLNNOP_ACLNN_SCATTER_ADD_H_
#define PYACLNN_ACLNNOP_ACLNN_SCATTER_ADD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnScatterAddGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                                      const aclTensor* index, const aclTensor* src,
                                                      aclTensor* out, uint64_t* workspaceSize,
                                                      aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnScatterAdd(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SCATTER_ADD_H_
