// aclnnRotateQuant
//
// Multiplies x by a rotation and quantises the result.
#ifndef PYACLNN_ACLNNOP_ACLNN_ROTATE_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_ROTATE_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRotateQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* rotation, const aclTensor* alpha, int64_t axis,
    char* roundMode, int64_t scaleAlg, double dstTypeMax, bool trans, aclTensor* yOut,
    aclTensor* scaleOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRotateQuant(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ROTATE_QUANT_H_
