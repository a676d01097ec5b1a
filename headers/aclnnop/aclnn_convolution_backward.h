#ifndef PYACLNN_ACLNNOP_ACLNN_CONVOLUTION_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_CONVOLUTION_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnConvTbcBackward
//
// gradInput, gradWeight and gradBias of a one-dimensional convolution in the layout time, batch,
// channel; self is the gradient of its output.
//
// self is (To, B, Co), input (T, B, C), weight (K, C, Co), bias (Co); pad is the padding on both
// sides. cubeMathType 0 keeps the precision, 1 allows less, 2 takes float16, 3 hfloat32. float32
// and float16, and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.conv_tbc.
ACLNN_API aclnnStatus aclnnConvTbcBackwardGetWorkspaceSize(
    const aclTensor* self, const aclTensor* input, const aclTensor* weight, const aclTensor* bias,
    int64_t pad, int8_t cubeMathType, aclTensor* gradInput, aclTensor* gradWeight,
    aclTensor* gradBias, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnConvTbcBackward(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, const aclrtStream stream);

// aclnnConvolutionBackward
//
// gradInput is gradOutput convolved with the weight the other way round, gradWeight the correlation
// of input with gradOutput, gradBias the sum of gradOutput over all but the channel.
//
// One, two or three spatial dimensions: input (N, C, ...), weight (Co, C / groups, ...), and the
// two exchanged for transposed. stride, padding, dilation and outputPadding have a value for each.
// outputMask has three values and says which results are wanted; biasSizes is (Co). cubeMathType 0
// keeps the precision, 1 allows less, 2 takes float16, 3 hfloat32. float32 and float16, and
// bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation.
ACLNN_API aclnnStatus aclnnConvolutionBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* input, const aclTensor* weight,
    const aclIntArray* biasSizes, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool transposed, const aclIntArray* outputPadding, int groups,
    const aclBoolArray* outputMask, int8_t cubeMathType, aclTensor* gradInput,
    aclTensor* gradWeight, aclTensor* gradBias, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnConvolutionBackward(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, const aclrtStream stream);

// aclnnDeformableConv2dBackward
//
// Gradients of the deformable convolution by input, weight, offset and bias.
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDeformableConv2dBackwardGetWorkspaceSize(
    const aclTensor* input, const aclTensor* gradOutput, const aclTensor* offsetOut,
    const aclTensor* weight, const aclTensor* offset, const aclIntArray* kernelSize,
    const aclIntArray* stride, const aclIntArray* padding, const aclIntArray* dilation,
    int64_t groups, int64_t deformableGroups, bool modulated, aclTensor* gradInput,
    aclTensor* gradWeight, aclTensor* gradOffset, aclTensor* gradBias, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDeformableConv2dBackward(void* workspace, uint64_t workspaceSize,
                                                    aclOpExecutor* executor,
                                                    const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CONVOLUTION_BACKWARD_H_
