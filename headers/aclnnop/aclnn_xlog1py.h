// aclnnXlog1py
//
// z = x * log(1 + y), and 0 where x is 0.
#ifndef PYACLNN_ACLNNOP_ACLNN_XLOG1PY_H_
#define PYACLNN_ACLNNOP_ACLNN_XLOG1PY_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnXlog1pyGetWorkspaceSize(const aclTensor* x, const aclTensor* y,
                                                   const aclTensor* z, uint64_t* workspaceSize,
                                                   aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnXlog1py(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_XLOG1PY_H_
