// aclnnResize
//
// Resizes images by interpolation.
#ifndef PYACLNN_ACLNNOP_ACLNN_RESIZE_H_
#define PYACLNN_ACLNNOP_ACLNN_RESIZE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnResizeGetWorkspaceSize(const aclTensor* self,
                                                  const aclFloatArray* scales, const char* mode,
                                                  aclTensor* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnResize(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_RESIZE_H_
