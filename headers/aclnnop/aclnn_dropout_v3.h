// aclnnDropoutV3
//
// Sets elements to zero with probability p and divides the others by 1 - p; also stores the bits of
// the mask. Version 3 of its interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_DROPOUT_V3_H_
#define PYACLNN_ACLNNOP_ACLNN_DROPOUT_V3_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDropoutV3GetWorkspaceSize(const aclTensor* input,
                                                     const aclTensor* optionalNoiseShape, double p,
                                                     int64_t seed, int64_t offset, aclTensor* out,
                                                     aclTensor* maskOut, uint64_t* workspaceSize,
                                                     aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDropoutV3(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_DROPOUT_V3_H_
