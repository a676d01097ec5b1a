// aclnnIndexAddV2
//
// out = self with alpha * source added at the places of dim that index names. Version 2 of its
// interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_INDEX_ADD_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_INDEX_ADD_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnIndexAddV2GetWorkspaceSize(const aclTensor* self, const int64_t dim,
                                                      const aclTensor* index,
                                                      const aclTensor* source,
                                                      const aclScalar* alpha, int64_t mode,
                                                      aclTensor* out, uint64_t* workspaceSize,
                                                      aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnIndexAddV2(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_INDEX_ADD_V2_H_
