// aclnnCummax
//
// Maximum so far along dim, and its place.
#ifndef PYACLNN_ACLNNOP_ACLNN_CUMMAX_H_
#define PYACLNN_ACLNNOP_ACLNN_CUMMAX_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnCummaxGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                                  aclTensor* valuesOut, aclTensor* indicesOut,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnCummax(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CUMMAX_H_
