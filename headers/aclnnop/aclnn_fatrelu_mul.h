// aclnnFatreluMul
//
// With self = (a, b) split in the last dimension: out = b * a where a > threshold, and 0 elsewhere.
#ifndef PYACLNN_ACLNNOP_ACLNN_FATRELU_MUL_H_
#define PYACLNN_ACLNNOP_ACLNN_FATRELU_MUL_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnFatreluMulGetWorkspaceSize(const aclTensor* input,
                                                      const aclTensor* threshold,
                                                      const aclTensor* out, uint64_t* workspaceSize,
                                                      aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnFatreluMul(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_FATRELU_MUL_H_
