// aclnnGroupedMatMulAllReduce
//
// Matrix products of groups, summed over all devices.
#ifndef PYACLNN_ACLNNOP_ACLNN_GROUPED_MAT_MUL_ALL_REDUCE_H_
#define PYACLNN_ACLNNOP_ACLNN_GROUPED_MAT_MUL_ALL_REDUCE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Only in CANN 8.1.
ACLNN_API aclnnStatus aclnnGroupedMatMulAllReduceGetWorkspaceSize(
    const aclTensorList* x, const aclTensorList* weight, const aclTensorList* bias,
    const aclIntArray* groupListOptional, int64_t splitItem, const char* group,
    const char* reduceOp, int64_t commTurn, int64_t streamMode, const aclTensorList* y,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Only in CANN 8.1.
ACLNN_API aclnnStatus aclnnGroupedMatMulAllReduce(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GROUPED_MAT_MUL_ALL_REDUCE_H_
