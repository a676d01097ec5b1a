// aclnnIndex
//
// out = elements of self at the places that tensors of indices name.
#ifndef PYACLNN_ACLNNOP_ACLNN_INDEX_H_
#define PYACLNN_ACLNNOP_ACLNN_INDEX_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnIndexGetWorkspaceSize(const aclTensor* self,
                                                 const aclTensorList* indices, aclTensor* out,
                                                 uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnIndex(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_INDEX_H_
