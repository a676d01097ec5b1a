// aclnnDropout
//
// Sets elements to zero with probability p and divides the others by 1 - p; also stores the bits of
// the mask.
#ifndef PYACLNN_ACLNNOP_ACLNN_DROPOUT_H_
#define PYACLNN_ACLNNOP_ACLNN_DROPOUT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnDropoutGetWorkspaceSize(const aclTensor* input, double p, bool train,
                                                   int64_t seed, int64_t offset, aclTensor* out,
                                                   aclTensor* maskOut, uint64_t* workspaceSize,
                                                   aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnDropout(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_DROPOUT_H_
