// aclnnLogAddExp2
//
// out = log2(2^self + 2^other).
#ifndef PYACLNN_ACLNNOP_ACLNN_LOGADDEXP2_H_
#define PYACLNN_ACLNNOP_ACLNN_LOGADDEXP2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnLogAddExp2GetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                                      aclTensor* out, uint64_t* workspaceSize,
                                                      aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnLogAddExp2(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_LOGADDEXP2_H_
