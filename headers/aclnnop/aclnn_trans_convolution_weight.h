// aclnnTransConvolutionWeight
//
// Copies a convolution's weight into the layout that the hardware prefers.
#ifndef PYACLNN_ACLNNOP_ACLNN_TRANS_CONVOLUTION_WEIGHT_H_
#define PYACLNN_ACLNNOP_ACLNN_TRANS_CONVOLUTION_WEIGHT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Number of elements that a convolution's weight takes in the layout the hardware prefers. Runs on
// the host.
ACLNN_API aclnnStatus aclnnCalculateConvolutionWeightSize(const aclIntArray* tensorShape,
                                                          bool transposed, int64_t groups,
                                                          aclDataType dataType,
                                                          uint64_t* weightTensorSize);

ACLNN_API aclnnStatus aclnnTransConvolutionWeightGetWorkspaceSize(
    const aclTensor* weightIn, bool transposed, const int64_t groups, aclTensor* weightOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnTransConvolutionWeight(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_TRANS_CONVOLUTION_WEIGHT_H_
