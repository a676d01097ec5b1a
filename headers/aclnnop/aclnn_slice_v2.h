// aclnnSliceV2
//
// out = the elements of one dimension from start to end with a step. Version 2 of its interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_SLICE_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_SLICE_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnSliceV2GetWorkspaceSize(const aclTensor* self, const aclIntArray* starts,
                                                   const aclIntArray* ends, const aclIntArray* axes,
                                                   const aclIntArray* steps, aclTensor* out,
                                                   uint64_t* workspaceSize,
                                                   aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSliceV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SLICE_V2_H_
