#ifndef PYACLNN_ACLNNOP_ACLNN_RANDOM_H_
#define PYACLNN_ACLNNOP_ACLNN_RANDOM_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnInplaceRandom
//
// Fills selfRef with random integers from from to to - 1.
ACLNN_API aclnnStatus aclnnInplaceRandomGetWorkspaceSize(const aclTensor* selfRef, int64_t from,
                                                         int64_t to, int64_t seed, int64_t offset,
                                                         uint64_t* workspaceSize,
                                                         aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceRandom(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

// aclnnInplaceRandomTensor
//
// Fills selfRef with random integers from from to to - 1, with the seed and offset in tensors.
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnInplaceRandomTensorGetWorkspaceSize(
    const aclTensor* selfRef, int64_t from, int64_t to, const aclTensor* seedTensor,
    const aclTensor* offsetTensor, int64_t offset, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnInplaceRandomTensor(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

// aclnnInplaceRandomWithoutFromTo
//
// Fills selfRef with random integers of the whole range of its dtype.
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnInplaceRandomWithoutFromToGetWorkspaceSize(const aclTensor* selfRef,
                                                                      int64_t seed, int64_t offset,
                                                                      uint64_t* workspaceSize,
                                                                      aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnInplaceRandomWithoutFromTo(void* workspace, uint64_t workspaceSize,
                                                      aclOpExecutor* executor, aclrtStream stream);

// aclnnInplaceRandomWithoutFromToTensor
//
// Fills selfRef with random integers of the whole range of its dtype, with the seed and offset in
// tensors.
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnInplaceRandomWithoutFromToTensorGetWorkspaceSize(
    const aclTensor* selfRef, const aclTensor* seedTensor, const aclTensor* offsetTensor,
    int64_t offset, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnInplaceRandomWithoutFromToTensor(void* workspace, uint64_t workspaceSize,
                                                            aclOpExecutor* executor,
                                                            aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_RANDOM_H_
