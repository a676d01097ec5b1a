#ifndef PYACLNN_ACLNNOP_ACLNN_LEFT_SHIFT_H_
#define PYACLNN_ACLNNOP_ACLNN_LEFT_SHIFT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnLeftShift
//
// out = self shifted left by shiftBits.
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnLeftShiftGetWorkspaceSize(const aclTensor* self,
                                                     const aclTensor* shiftBits, aclTensor* out,
                                                     uint64_t* workspaceSize,
                                                     aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnLeftShift(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

// aclnnLeftShifts
//
// out = self shifted left by a scalar number of bits.
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnLeftShiftsGetWorkspaceSize(const aclTensor* self,
                                                      const aclScalar* shiftBits, aclTensor* out,
                                                      uint64_t* workspaceSize,
                                                      aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnLeftShifts(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_LEFT_SHIFT_H_
