// aclnnNpuFormatCast
//
// Copies a tensor into another memory layout.
#ifndef PYACLNN_ACLNNOP_ACLNN_NPU_FORMAT_CAST_H_
#define PYACLNN_ACLNNOP_ACLNN_NPU_FORMAT_CAST_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Storage shape and layout that a cast of srcTensor to dstFormat ends in; additionalDtype decides
// how wide a block is. Runs on the host. The caller releases dstShape.
//
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnNpuFormatCastCalculateSizeAndFormat(
    const aclTensor* srcTensor, const int dstFormat, int additionalDtype, int64_t** dstShape,
    uint64_t* dstShapeSize, int* actualFormat);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnNpuFormatCastGetWorkspaceSize(const aclTensor* srcTensor,
                                                         aclTensor* dstTensor,
                                                         uint64_t* workspaceSize,
                                                         aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnNpuFormatCast(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_NPU_FORMAT_CAST_H_
