// aclnnAscendQuant
//
// y = round(x * scale + offset): quantises to int8 or int4.
#ifndef PYACLNN_ACLNNOP_ACLNN_ASCEND_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_ASCEND_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnAscendQuantGetWorkspaceSize(const aclTensor* x, const aclTensor* scale,
                                                       const aclTensor* offset, bool sqrtMode,
                                                       const char* roundMode, int32_t dstType,
                                                       const aclTensor* y, uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnAscendQuant(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ASCEND_QUANT_H_
