// aclnnHansDecode
//
// Restores floating point numbers that were compressed by their exponents.
#ifndef PYACLNN_ACLNNOP_ACLNN_HANS_DECODE_H_
#define PYACLNN_ACLNNOP_ACLNN_HANS_DECODE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnHansDecodeGetWorkspaceSize(const aclTensor* mantissa,
                                                      const aclTensor* fixed, const aclTensor* var,
                                                      const aclTensor* pdf, bool reshuff,
                                                      const aclTensor* out, uint64_t* workspaceSize,
                                                      aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnHansDecode(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_HANS_DECODE_H_
