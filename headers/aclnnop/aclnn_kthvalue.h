// aclnnKthvalue
//
// The k-th smallest element along dim, and its place.
#ifndef PYACLNN_ACLNNOP_ACLNN_KTHVALUE_H_
#define PYACLNN_ACLNNOP_ACLNN_KTHVALUE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnKthvalueGetWorkspaceSize(const aclTensor* self, int64_t k, int64_t dim,
                                                    bool keepdim, aclTensor* valuesOut,
                                                    aclTensor* indicesOut, uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnKthvalue(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_KTHVALUE_H_
