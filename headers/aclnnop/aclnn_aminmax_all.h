// aclnnAminmaxAll
//
// Minimum and maximum of all elements.
#ifndef PYACLNN_ACLNNOP_ACLNN_AMINMAX_ALL_H_
#define PYACLNN_ACLNNOP_ACLNN_AMINMAX_ALL_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnAminmaxAllGetWorkspaceSize(const aclTensor* self, aclTensor* minOut,
                                                      aclTensor* maxOut, uint64_t* workspaceSize,
                                                      aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnAminmaxAll(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_AMINMAX_ALL_H_
