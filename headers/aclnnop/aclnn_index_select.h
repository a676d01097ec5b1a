// aclnnIndexSelect
//
// out = slices of self along dim that index names.
#ifndef PYACLNN_ACLNNOP_ACLNN_INDEX_SELECT_H_
#define PYACLNN_ACLNNOP_ACLNN_INDEX_SELECT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnIndexSelectGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                                       const aclTensor* index, aclTensor* out,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnIndexSelect(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_INDEX_SELECT_H_
