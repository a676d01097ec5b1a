// aclnnModulate
//
// out = self * (1 + scale) + shift.
#ifndef PYACLNN_ACLNNOP_ACLNN_MODULATE_H_
#define PYACLNN_ACLNNOP_ACLNN_MODULATE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnModulateGetWorkspaceSize(const aclTensor* self,
                                                    const aclTensor* scaleOptional,
                                                    const aclTensor* shiftOptional, aclTensor* out,
                                                    uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnModulate(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MODULATE_H_
