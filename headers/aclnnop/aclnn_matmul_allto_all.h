// aclnnMatmulAlltoAll
//
// Multiplies by a matrix, then exchanges blocks of the result between all ranks of a group. Since
// CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_MATMUL_ALLTO_ALL_H_
#define PYACLNN_ACLNNOP_ACLNN_MATMUL_ALLTO_ALL_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMatmulAlltoAllGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* biasOptional,
    const aclIntArray* alltoAllAxesOptional, const char* group, bool transposeX1, bool transposeX2,
    const aclTensor* output, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMatmulAlltoAll(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MATMUL_ALLTO_ALL_H_
