// aclnnInplaceMaskedFillTensor
//
// Sets selfRef to the value of a tensor of one element where mask is set.
#ifndef PYACLNN_ACLNNOP_ACLNN_MASKED_FILL_TENSOR_H_
#define PYACLNN_ACLNNOP_ACLNN_MASKED_FILL_TENSOR_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnInplaceMaskedFillTensorGetWorkspaceSize(aclTensor* selfRef,
                                                                   const aclTensor* mask,
                                                                   const aclTensor* value,
                                                                   uint64_t* workspaceSize,
                                                                   aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnInplaceMaskedFillTensor(void* workspace, uint64_t workspaceSize,
                                                   aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MASKED_FILL_TENSOR_H_
