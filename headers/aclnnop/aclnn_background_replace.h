// aclnnBackgroundReplace
//
// Mixes two images by a mask: replaces the background.
#ifndef PYACLNN_ACLNNOP_ACLNN_BACKGROUND_REPLACE_H_
#define PYACLNN_ACLNNOP_ACLNN_BACKGROUND_REPLACE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnBackgroundReplaceGetWorkspaceSize(
    const aclTensor* bkg, const aclTensor* src, const aclTensor* mask, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnBackgroundReplace(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_BACKGROUND_REPLACE_H_
