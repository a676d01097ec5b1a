// aclnnQuantMax
//
// Quantises with a given scale; also stores the largest magnitude.
#ifndef PYACLNN_ACLNNOP_ACLNN_QUANT_MAX_H_
#define PYACLNN_ACLNNOP_ACLNN_QUANT_MAX_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnQuantMaxGetWorkspaceSize(const aclTensor* x, const aclTensor* scale,
                                                    char* roundMode, int64_t dstType,
                                                    const aclTensor* y, const aclTensor* amax,
                                                    uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnQuantMax(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_QUANT_MAX_H_
