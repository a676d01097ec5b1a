// aclnnTransformBiasRescaleQkv
//
// Adds a bias to joined query, key and value, splits them by head and scales the query.
#ifndef PYACLNN_ACLNNOP_ACLNN_TRANSFORM_BIAS_RESCALE_QKV_H_
#define PYACLNN_ACLNNOP_ACLNN_TRANSFORM_BIAS_RESCALE_QKV_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnTransformBiasRescaleQkvGetWorkspaceSize(
    const aclTensor* qkv, const aclTensor* qkvBias, int64_t numHeads, const aclTensor* qOut,
    const aclTensor* kOut, const aclTensor* vOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnTransformBiasRescaleQkv(void* workspace, uint64_t workspaceSize,
                                                   aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_TRANSFORM_BIAS_RESCALE_QKV_H_
