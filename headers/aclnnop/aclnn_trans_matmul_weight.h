// aclnnTransMatmulWeight
//
// Turns a matrix product's weight into the layout that the hardware prefers, in place.
#ifndef PYACLNN_ACLNNOP_ACLNN_TRANS_MATMUL_WEIGHT_H_
#define PYACLNN_ACLNNOP_ACLNN_TRANS_MATMUL_WEIGHT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Number of elements that the weight of a matrix product takes in the layout the hardware prefers.
// Runs on the host.
ACLNN_API aclnnStatus aclnnCalculateMatmulWeightSize(const aclIntArray* tensorShape,
                                                     uint64_t* weightTensorSize);

// The same for a weight of the given data type.
ACLNN_API aclnnStatus aclnnCalculateMatmulWeightSizeV2(const aclIntArray* tensorShape,
                                                       aclDataType dataType,
                                                       uint64_t* weightTensorSize);

ACLNN_API aclnnStatus aclnnTransMatmulWeightGetWorkspaceSize(aclTensor* mmWeightRef,
                                                             uint64_t* workspaceSize,
                                                             aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnTransMatmulWeight(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_TRANS_MATMUL_WEIGHT_H_
