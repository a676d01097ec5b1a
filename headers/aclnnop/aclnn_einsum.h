// aclnnEinsum
//
// Sum of products in Einstein's notation.
#ifndef PYACLNN_ACLNNOP_ACLNN_EINSUM_H_
#define PYACLNN_ACLNNOP_ACLNN_EINSUM_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

// As in CANN, for what includes this header.
#ifdef __cplusplus
#include <string>
#endif

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnEinsumGetWorkspaceSize(const aclTensorList* tensors,
                                                  const char* equation, aclTensor* output,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnEinsum(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_EINSUM_H_
