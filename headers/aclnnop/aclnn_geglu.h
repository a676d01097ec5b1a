#ifndef PYACLNN_ACLNNOP_ACLNN_GEGLU_H_
#define PYACLNN_ACLNNOP_ACLNN_GEGLU_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGeGlu
//
// With self = (a, b) split along dim: out = a * gelu(b); also stores gelu(b).
ACLNN_API aclnnStatus aclnnGeGluGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                                 int64_t approximate, aclTensor* out,
                                                 aclTensor* outGelu, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnGeGlu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream);

// aclnnGeGluV3
//
// With self = (a, b) split along dim: out = a * gelu(b); also stores gelu(b). Version 3 of its
// interface.
ACLNN_API aclnnStatus aclnnGeGluV3GetWorkspaceSize(const aclTensor* self, int64_t dim,
                                                   int64_t approximate, bool activateLeft,
                                                   aclTensor* out, aclTensor* outGelu,
                                                   uint64_t* workspaceSize,
                                                   aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnGeGluV3(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GEGLU_H_
