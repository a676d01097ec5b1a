// aclnnConfusionTranspose
//
// Transposes and reshapes in one step.
#ifndef PYACLNN_ACLNNOP_ACLNN_CONFUSION_TRANSPOSE_H_
#define PYACLNN_ACLNNOP_ACLNN_CONFUSION_TRANSPOSE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnConfusionTransposeGetWorkspaceSize(
    const aclTensor* x, const aclIntArray* perm, const aclIntArray* shape, bool transpose_first,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnConfusionTranspose(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CONFUSION_TRANSPOSE_H_
