// aclnnCat
//
// out = tensors joined along an existing dimension.
#ifndef PYACLNN_ACLNNOP_ACLNN_CAT_H_
#define PYACLNN_ACLNNOP_ACLNN_CAT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnCatGetWorkspaceSize(const aclTensorList* tensors, int64_t dim,
                                               aclTensor* out, uint64_t* workspaceSize,
                                               aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnCat(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CAT_H_
