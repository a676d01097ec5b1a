// aclnnUpsampleBilinear2dBackward
//
// out: each element of gradOut is spread over the four input elements it was interpolated from,
// with the weights of the interpolation.
//
// gradOut and out are (N, C, H, W). outputSize has the spatial lengths of the gradient, inputSize
// the whole shape of the result; the scales are the output length over the input length, 0 to take
// it from the sizes, and count on the 950 series only; alignCorners puts the outermost elements'
// centres on one another. float32 and float16, and bfloat16 on the 950 series.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.interpolate with mode bilinear.
#ifndef PYACLNN_ACLNNOP_ACLNN_UPSAMPLE_BILINEAR_2D_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_UPSAMPLE_BILINEAR_2D_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnUpsampleBilinear2dBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclIntArray* outputSize, const aclIntArray* inputSize,
    bool alignCorners, double scalesH, double scalesW, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnUpsampleBilinear2dBackward(void* workspace, uint64_t workspace_size,
                                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_UPSAMPLE_BILINEAR_2D_BACKWARD_H_
