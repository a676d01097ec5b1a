// aclnnSort
//
// The elements in order along dim, and where they were.
#ifndef PYACLNN_ACLNNOP_ACLNN_SORT_H_
#define PYACLNN_ACLNNOP_ACLNN_SORT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnSortGetWorkspaceSize(const aclTensor* self, bool stable, int64_t dim,
                                                bool descending, aclTensor* valuesOut,
                                                aclTensor* indicesOut, uint64_t* workspaceSize,
                                                aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSort(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SORT_H_
