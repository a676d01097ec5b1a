#ifndef PYACLNN_ACLNNOP_ACLNN_MULTINOMIAL_H_
#define PYACLNN_ACLNNOP_ACLNN_MULTINOMIAL_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMultinomial
//
// out = indices drawn with the probabilities of each row.
ACLNN_API aclnnStatus aclnnMultinomialGetWorkspaceSize(const aclTensor* self, int64_t numsamples,
                                                       bool replacement, int64_t seed,
                                                       int64_t offset, aclTensor* out,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMultinomial(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

// aclnnMultinomialTensor
//
// out = indices drawn with the probabilities of each row, with the seed and offset in tensors.
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnMultinomialTensorGetWorkspaceSize(
    const aclTensor* self, int64_t numsamples, bool replacement, const aclTensor* seedTensor,
    const aclTensor* offsetTensor, int64_t offset, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnMultinomialTensor(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MULTINOMIAL_H_
