// aclnnReflectionPad2d
//
// Pads two dimensions with the elements mirrored at their borders.
#ifndef PYACLNN_ACLNNOP_ACLNN_REFLECTION_PAD2D_H_
#define PYACLNN_ACLNNOP_ACLNN_REFLECTION_PAD2D_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnReflectionPad2dGetWorkspaceSize(const aclTensor* self,
                                                           const aclIntArray* padding,
                                                           aclTensor* out, uint64_t* workspaceSize,
                                                           aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnReflectionPad2d(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_REFLECTION_PAD2D_H_
