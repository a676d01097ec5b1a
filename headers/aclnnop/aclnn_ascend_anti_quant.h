// aclnnAscendAntiQuant
//
// y = (x + offset) * scale: restores floating point values from int8 or int4.
#ifndef PYACLNN_ACLNNOP_ACLNN_ASCEND_ANTI_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_ASCEND_ANTI_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnAscendAntiQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* scale, const aclTensor* offset, int64_t dstType,
    bool sqrtMode, const aclTensor* y, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnAscendAntiQuant(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ASCEND_ANTI_QUANT_H_
