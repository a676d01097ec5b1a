// aclnnNLLLoss2d
//
// Negative log likelihood of each element of an image, reduced as asked for.
#ifndef PYACLNN_ACLNNOP_ACLNN_NLL_LOSS2D_H_
#define PYACLNN_ACLNNOP_ACLNN_NLL_LOSS2D_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnNLLLoss2dGetWorkspaceSize(const aclTensor* self, const aclTensor* target,
                                                     const aclTensor* weight, int64_t reduction,
                                                     int64_t ignoreIndex, aclTensor* out,
                                                     aclTensor* totalWeightOut,
                                                     uint64_t* workspaceSize,
                                                     aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnNLLLoss2d(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_NLL_LOSS2D_H_
