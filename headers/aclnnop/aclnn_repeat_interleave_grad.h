// aclnnRepeatInterleaveGrad
//
// Gradient of repeating elements: the sums of the repetitions.
#ifndef PYACLNN_ACLNNOP_ACLNN_REPEAT_INTERLEAVE_GRAD_H_
#define PYACLNN_ACLNNOP_ACLNN_REPEAT_INTERLEAVE_GRAD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRepeatInterleaveGradGetWorkspaceSize(const aclTensor* yGrad,
                                                                const aclTensor* repeats,
                                                                int64_t axis, const aclTensor* out,
                                                                uint64_t* workspaceSize,
                                                                aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRepeatInterleaveGrad(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_REPEAT_INTERLEAVE_GRAD_H_
