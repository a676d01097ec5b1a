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
