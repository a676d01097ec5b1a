// aclnnRasterizer
//
// Finds for each pixel the triangle in front, and the barycentric coordinates in it.
#ifndef PYACLNN_ACLNNOP_ACLNN_RASTERIZER_H_
#define PYACLNN_ACLNNOP_ACLNN_RASTERIZER_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRasterizerGetWorkspaceSize(
    const aclTensor* v, const aclTensor* f, const aclTensor* dOptional, int64_t width,
    int64_t height, double occlusionTruncation, int64_t useDepthPrior, const aclTensor* findicesOut,
    const aclTensor* barycentricOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnRasterizer(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_RASTERIZER_H_
