// aclnnDropoutDoMask
//
// out = self / (1 - prob) where the mask's bit is set, and 0 elsewhere.
#ifndef PYACLNN_ACLNNOP_ACLNN_DROPOUT_DO_MASK_H_
#define PYACLNN_ACLNNOP_ACLNN_DROPOUT_DO_MASK_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnDropoutDoMaskGetWorkspaceSize(const aclTensor* self,
                                                         const aclTensor* mask, double prob,
                                                         aclTensor* out, uint64_t* workspaceSize,
                                                         aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnDropoutDoMask(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_DROPOUT_DO_MASK_H_
