// aclnnGridSampler3D
//
// out = input interpolated at the points of grid, in three dimensions.
#ifndef PYACLNN_ACLNNOP_ACLNN_GRID_SAMPLER3D_H_
#define PYACLNN_ACLNNOP_ACLNN_GRID_SAMPLER3D_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnGridSampler3DGetWorkspaceSize(
    const aclTensor* input, const aclTensor* grid, int64_t interpolationMode, int64_t paddingMode,
    bool alignCorners, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnGridSampler3D(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GRID_SAMPLER3D_H_
