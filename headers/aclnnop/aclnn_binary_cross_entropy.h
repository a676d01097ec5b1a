// aclnnBinaryCrossEntropy
//
// out = -weight * (target * log(self) + (1 - target) * log(1 - self)), reduced as asked for.
#ifndef PYACLNN_ACLNNOP_ACLNN_BINARY_CROSS_ENTROPY_H_
#define PYACLNN_ACLNNOP_ACLNN_BINARY_CROSS_ENTROPY_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnBinaryCrossEntropyGetWorkspaceSize(
    const aclTensor* self, const aclTensor* target, const aclTensor* weight, int64_t reduction,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnBinaryCrossEntropy(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_BINARY_CROSS_ENTROPY_H_
