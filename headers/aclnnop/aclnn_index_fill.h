#ifndef PYACLNN_ACLNNOP_ACLNN_INDEX_FILL_H_
#define PYACLNN_ACLNNOP_ACLNN_INDEX_FILL_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnIndexFill
//
// out = self with a value at the places of dim that index names.
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnIndexFillGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                                     const aclTensor* index, const aclScalar* value,
                                                     aclTensor* out, uint64_t* workspaceSize,
                                                     aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnIndexFill(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

// aclnnInplaceIndexFill
//
// selfRef = selfRef with a value at the places of dim that index names, in place.
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnInplaceIndexFillGetWorkspaceSize(aclTensor* selfRef, int64_t dim,
                                                            const aclTensor* index,
                                                            const aclScalar* value,
                                                            uint64_t* workspaceSize,
                                                            aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnInplaceIndexFill(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_INDEX_FILL_H_
