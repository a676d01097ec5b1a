#ifndef PYACLNN_ACLNNOP_ACLNN_SCATTER_REDUCE_H_
#define PYACLNN_ACLNNOP_ACLNN_SCATTER_REDUCE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnInplaceScatterReduce
//
// selfRef = selfRef with src reduced into the places that index names along dim, in place.
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnInplaceScatterReduceGetWorkspaceSize(
    aclTensor* selfRef, int64_t dim, const aclTensor* index, const aclTensor* src, int64_t reduce,
    bool includeSelf, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnInplaceScatterReduce(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

// aclnnScatterReduce
//
// out = self with src reduced into the places that index names along dim.
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnScatterReduceGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                                         const aclTensor* index,
                                                         const aclTensor* src, int64_t reduce,
                                                         bool includeSelf, aclTensor* out,
                                                         uint64_t* workspaceSize,
                                                         aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnScatterReduce(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SCATTER_REDUCE_H_
