// aclnnMaskedSelect
//
// out = the elements of self where mask is set, as a row.
#ifndef PYACLNN_ACLNNOP_ACLNN_MASKED_SELECT_H_
#define PYACLNN_ACLNNOP_ACLNN_MASKED_SELECT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMaskedSelectGetWorkspaceSize(const aclTensor* self,
                                                        const aclTensor* mask, aclTensor* out,
                                                        uint64_t* workspaceSize,
                                                        aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMaskedSelect(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MASKED_SELECT_H_
