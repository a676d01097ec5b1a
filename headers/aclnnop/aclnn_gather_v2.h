// aclnnGatherV2
//
// out = elements of self at the places that index names along dim. Version 2 of its interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_GATHER_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_GATHER_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnGatherV2GetWorkspaceSize(const aclTensor* self, int64_t dim,
                                                    const aclTensor* index, aclTensor* out,
                                                    uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnGatherV2(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GATHER_V2_H_
