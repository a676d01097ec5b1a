// aclnnIsInScalarTensor
//
// out = whether a scalar is among the elements of a tensor.
#ifndef PYACLNN_ACLNNOP_ACLNN_ISIN_H_
#define PYACLNN_ACLNNOP_ACLNN_ISIN_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnIsInScalarTensorGetWorkspaceSize(const aclScalar* element,
                                                            const aclTensor* testElements,
                                                            bool assumeUnique, bool invert,
                                                            aclTensor* out, uint64_t* workspaceSize,
                                                            aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnIsInScalarTensor(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ISIN_H_
