// aclnnConstantPadNd
//
// Pads the last dimensions with a value.
#ifndef PYACLNN_ACLNNOP_ACLNN_CONSTANT_PAD_ND_H_
#define PYACLNN_ACLNNOP_ACLNN_CONSTANT_PAD_ND_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnConstantPadNdGetWorkspaceSize(const aclTensor* self,
                                                         const aclIntArray* pad,
                                                         const aclScalar* value, aclTensor* out,
                                                         uint64_t* workspaceSize,
                                                         aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnConstantPadNd(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CONSTANT_PAD_ND_H_
