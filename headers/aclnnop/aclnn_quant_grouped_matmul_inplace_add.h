// aclnnQuantGroupedMatmulInplaceAdd
//
// y += the quantised products of groups along the inner dimension. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_QUANT_GROUPED_MATMUL_INPLACE_ADD_H_
#define PYACLNN_ACLNNOP_ACLNN_QUANT_GROUPED_MATMUL_INPLACE_ADD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnQuantGroupedMatmulInplaceAddGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* scale1Optional,
    const aclTensor* scale2, const aclTensor* groupList, aclTensor* yRef, int64_t groupListType,
    int64_t groupSize, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnQuantGroupedMatmulInplaceAdd(void* workspace, uint64_t workspaceSize,
                                                        aclOpExecutor* executor,
                                                        const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_QUANT_GROUPED_MATMUL_INPLACE_ADD_H_
