// aclnnReplicationPad3d
//
// Pads three dimensions with the nearest element of their borders.
#ifndef PYACLNN_ACLNNOP_ACLNN_REPLICATION_PAD3D_H_
#define PYACLNN_ACLNNOP_ACLNN_REPLICATION_PAD3D_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnReplicationPad3dGetWorkspaceSize(const aclTensor* self,
                                                            const aclIntArray* padding,
                                                            aclTensor* out, uint64_t* workspaceSize,
                                                            aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnReplicationPad3d(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_REPLICATION_PAD3D_H_
