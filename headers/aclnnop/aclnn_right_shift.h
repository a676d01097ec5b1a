// aclnnRightShift
//
// out = self shifted right by shiftBits.
#ifndef PYACLNN_ACLNNOP_ACLNN_RIGHT_SHIFT_H_
#define PYACLNN_ACLNNOP_ACLNN_RIGHT_SHIFT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRightShiftGetWorkspaceSize(const aclTensor* input,
                                                      const aclTensor* shiftBits, aclTensor* out,
                                                      uint64_t* workspaceSize,
                                                      aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRightShift(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_RIGHT_SHIFT_H_
