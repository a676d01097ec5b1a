// aclnnMatmulAlltoAllV2
//
// Multiplies by a matrix, then exchanges blocks of the result between all ranks of a group. Version
// 2 of its interface. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_MATMUL_ALLTO_ALL_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_MATMUL_ALLTO_ALL_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMatmulAlltoAllV2GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* biasOptional,
    const aclIntArray* alltoAllAxesOptional, const char* group, const char* commMode,
    bool transposeX1, bool transposeX2, const aclTensor* output, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMatmulAlltoAllV2(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MATMUL_ALLTO_ALL_V2_H_
