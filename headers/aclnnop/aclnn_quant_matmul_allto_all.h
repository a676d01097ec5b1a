// aclnnQuantMatmulAlltoAll
//
// Quantised product, then an exchange of blocks between all ranks of a group. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_QUANT_MATMUL_ALLTO_ALL_H_
#define PYACLNN_ACLNNOP_ACLNN_QUANT_MATMUL_ALLTO_ALL_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnQuantMatmulAlltoAllGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* biasOptional,
    const aclTensor* x1Scale, const aclTensor* x2Scale, const aclTensor* commScaleOptional,
    const aclTensor* x1OffsetOptional, const aclTensor* x2OffsetOptional,
    const aclIntArray* alltoAllAxesOptional, const char* group, int64_t x1QuantMode,
    int64_t x2QuantMode, int64_t commQuantMode, int64_t commQuantDtype, int64_t groupSize,
    bool transposeX1, bool transposeX2, const aclTensor* output, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnQuantMatmulAlltoAll(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_QUANT_MATMUL_ALLTO_ALL_H_
