// aclnnReflectionPad1d
//
// Pads one dimension with the elements mirrored at its borders.
#ifndef PYACLNN_ACLNNOP_ACLNN_REFLECTION_PAD1D_H_
#define PYACLNN_ACLNNOP_ACLNN_REFLECTION_PAD1D_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnReflectionPad1dGetWorkspaceSize(const aclTensor* self,
                                                           const aclIntArray* padding,
                                                           aclTensor* out, uint64_t* workspaceSize,
                                                           aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnReflectionPad1d(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_REFLECTION_PAD1D_H_
