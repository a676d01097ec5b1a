// aclnnGatherV3
//
// out = elements of self at the places that index names along dim. Version 3 of its interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_GATHER_V3_H_
#define PYACLNN_ACLNNOP_ACLNN_GATHER_V3_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnGatherV3GetWorkspaceSize(const aclTensor* self, int64_t dim,
                                                    const aclTensor* index, int64_t batchDims,
                                                    int64_t mode, aclTensor* out,
                                                    uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnGatherV3(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GATHER_V3_H_
