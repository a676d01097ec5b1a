// aclnnAdaptiveAvgPool2d
//
// Mean over windows chosen so that the output has the two lengths of outputSize.
#ifndef PYACLNN_ACLNNOP_ACLNN_ADAPTIVE_AVG_POOL2D_H_
#define PYACLNN_ACLNNOP_ACLNN_ADAPTIVE_AVG_POOL2D_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

// As in CANN, for what includes this header.
#ifdef __cplusplus
#include <array>
#endif

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnAdaptiveAvgPool2dGetWorkspaceSize(const aclTensor* self,
                                                             const aclIntArray* outputSize,
                                                             aclTensor* out,
                                                             uint64_t* workspaceSize,
                                                             aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnAdaptiveAvgPool2d(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ADAPTIVE_AVG_POOL2D_H_
