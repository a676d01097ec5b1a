// aclnnAllGatherMatmul
//
// Gathers x1 from all devices and multiplies it by x2, both at once.
#ifndef PYACLNN_ACLNNOP_ACLNN_ALL_GATHER_MATMUL_H_
#define PYACLNN_ACLNNOP_ACLNN_ALL_GATHER_MATMUL_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"
#include "hccl/hccl.h"

// As in CANN, for what includes this header.
#ifdef __cplusplus
#include <string>
#endif

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnAllGatherMatmulGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const char* group,
    int64_t gatherIndex, int64_t commTurn, int64_t streamMode, const aclTensor* output,
    const aclTensor* gatherOut, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnAllGatherMatmul(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ALL_GATHER_MATMUL_H_
