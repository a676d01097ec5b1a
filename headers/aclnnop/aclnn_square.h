// aclnnSquare
//
// out = self^2.
#ifndef PYACLNN_ACLNNOP_ACLNN_SQUARE_H_
#define PYACLNN_ACLNNOP_ACLNN_SQUARE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSquareGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSquare(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SQUARE_H_
