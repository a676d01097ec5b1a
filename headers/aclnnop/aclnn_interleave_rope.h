// aclnnInterleaveRope
//
// Rotates x by the angles of its positions, after sorting even and odd elements apart.
#ifndef PYACLNN_ACLNNOP_ACLNN_INTERLEAVE_ROPE_H_
#define PYACLNN_ACLNNOP_ACLNN_INTERLEAVE_ROPE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnInterleaveRopeGetWorkspaceSize(const aclTensor* x, const aclTensor* cos,
                                                          const aclTensor* sin, aclTensor* out,
                                                          uint64_t* workspaceSize,
                                                          aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnInterleaveRope(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_INTERLEAVE_ROPE_H_
