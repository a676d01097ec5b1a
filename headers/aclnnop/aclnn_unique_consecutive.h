// aclnnUniqueConsecutive
//
// The elements without repetitions that follow one another, and where and how often they were.
#ifndef PYACLNN_ACLNNOP_ACLNN_UNIQUE_CONSECUTIVE_H_
#define PYACLNN_ACLNNOP_ACLNN_UNIQUE_CONSECUTIVE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnUniqueConsecutiveGetWorkspaceSize(
    const aclTensor* self, bool returnInverse, bool returnCounts, int64_t dim, aclTensor* valueOut,
    aclTensor* inverseOut, aclTensor* countsOut, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnUniqueConsecutive(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_UNIQUE_CONSECUTIVE_H_
