// aclnnBlendImagesCustom
//
// Blends a coloured layer into an image by its transparency.
#ifndef PYACLNN_ACLNNOP_ACLNN_BLEND_IMAGES_CUSTOM_H_
#define PYACLNN_ACLNNOP_ACLNN_BLEND_IMAGES_CUSTOM_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnBlendImagesCustomGetWorkspaceSize(
    const aclTensor* rgb, const aclTensor* alpha, const aclTensor* frame, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnBlendImagesCustom(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_BLEND_IMAGES_CUSTOM_H_
