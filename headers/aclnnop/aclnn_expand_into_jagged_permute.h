// aclnnExpandIntoJaggedPermute
//
// Expands a permutation of groups to one of their elements, where groups differ in length.
#ifndef PYACLNN_ACLNNOP_ACLNN_EXPAND_INTO_JAGGED_PERMUTE_H_
#define PYACLNN_ACLNNOP_ACLNN_EXPAND_INTO_JAGGED_PERMUTE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnExpandIntoJaggedPermuteGetWorkspaceSize(
    const aclTensor* permute, const aclTensor* inputOffset, const aclTensor* outputOffset,
    int64_t outputSize, const aclTensor* outputPermuteOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnExpandIntoJaggedPermute(void* workspace, uint64_t workspaceSize,
                                                   aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_EXPAND_INTO_JAGGED_PERMUTE_H_
