// aclnnChamferDistanceBackward
//
// gradXyz1[i] = 2 * gradDist1[i] * (xyz1[i] - xyz2[idx1[i]]), plus what the points of xyz2 whose
// nearest it is give back; gradXyz2 likewise, with gradDist2 and the other points.
//
// The points are (B, N, 2); distances are squared; idx1 and idx2, int32, are the nearest points and
// come from the forward operator. float32 and float16, on Atlas A2 and A3 only.
//
// See the page of this name in the CANN operator documentation.
#ifndef PYACLNN_ACLNNOP_ACLNN_CHAMFER_DISTANCE_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_CHAMFER_DISTANCE_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnChamferDistanceBackwardGetWorkspaceSize(
    const aclTensor* xyz1, const aclTensor* xyz2, const aclTensor* idx1, const aclTensor* idx2,
    const aclTensor* gradDist1, const aclTensor* gradDist2, aclTensor* gradXyz1,
    aclTensor* gradXyz2, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnChamferDistanceBackward(void* workspace, uint64_t workspaceSize,
                                                   aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CHAMFER_DISTANCE_BACKWARD_H_
