#ifndef PYACLNN_ACLNNOP_ACLNN_BERNOULLI_H_
#define PYACLNN_ACLNNOP_ACLNN_BERNOULLI_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnBernoulli
//
// out = 1 with probability prob, else 0.
ACLNN_API aclnnStatus aclnnBernoulliGetWorkspaceSize(const aclTensor* self, const aclScalar* prob,
                                                     int64_t seed, int64_t offset, aclTensor* out,
                                                     uint64_t* workspaceSize,
                                                     aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnBernoulli(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

// aclnnBernoulliTensor
//
// out = 1 with the probability that prob gives for each element, else 0.
ACLNN_API aclnnStatus aclnnBernoulliTensorGetWorkspaceSize(const aclTensor* self,
                                                           const aclTensor* prob, int64_t seed,
                                                           int64_t offset, aclTensor* out,
                                                           uint64_t* workspaceSize,
                                                           aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnBernoulliTensor(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

// aclnnInplaceBernoulli
//
// selfRef = 1 with probability prob, else 0, in place.
ACLNN_API aclnnStatus aclnnInplaceBernoulliGetWorkspaceSize(const aclTensor* selfRef,
                                                            const aclScalar* prob, int64_t seed,
                                                            int64_t offset, uint64_t* workspaceSize,
                                                            aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceBernoulli(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

// aclnnInplaceBernoulliTensor
//
// selfRef = 1 with the probability that prob gives for each element, else 0, in place.
ACLNN_API aclnnStatus aclnnInplaceBernoulliTensorGetWorkspaceSize(const aclTensor* selfRef,
                                                                  const aclTensor* prob,
                                                                  int64_t seed, int64_t offset,
                                                                  uint64_t* workspaceSize,
                                                                  aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceBernoulliTensor(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_BERNOULLI_H_
