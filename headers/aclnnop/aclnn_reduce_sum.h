// aclnnReduceSum
//
// out = sum over dims.
#ifndef PYACLNN_ACLNNOP_ACLNN_REDUCE_SUM_H_
#define PYACLNN_ACLNNOP_ACLNN_REDUCE_SUM_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnReduceSumGetWorkspaceSize(const aclTensor* self, const aclIntArray* dims,
                                                     bool keepDims, aclDataType dtype,
                                                     aclTensor* out, uint64_t* workspaceSize,
                                                     aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnReduceSum(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_REDUCE_SUM_H_
