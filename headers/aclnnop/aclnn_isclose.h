// aclnnIsClose
//
// out = whether |self - other| <= atol + rtol * |other|.
#ifndef PYACLNN_ACLNNOP_ACLNN_ISCLOSE_H_
#define PYACLNN_ACLNNOP_ACLNN_ISCLOSE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// CANN 8.1 declares (const aclTensor *self, const aclTensor *other, double rtol, double atol, bool
// equal_nan, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor).
ACLNN_API aclnnStatus aclnnIsCloseGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                                   double rtol, double atol, bool equalNan,
                                                   aclTensor* out, uint64_t* workspaceSize,
                                                   aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnIsClose(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ISCLOSE_H_
