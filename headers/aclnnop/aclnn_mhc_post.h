// aclnnMhcPost
//
// What a hyper-connection writes back to its streams: the mixed residual and the spread result.
// Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_MHC_POST_H_
#define PYACLNN_ACLNNOP_ACLNN_MHC_POST_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMhcPostGetWorkspaceSize(const aclTensor* x, const aclTensor* hRes,
                                                   const aclTensor* hOut, const aclTensor* hPost,
                                                   aclTensor* out, uint64_t* workspaceSize,
                                                   aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMhcPost(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MHC_POST_H_
