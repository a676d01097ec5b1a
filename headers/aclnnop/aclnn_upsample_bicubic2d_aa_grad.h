// aclnnUpsampleBicubic2dAAGrad
//
// out: each element of gradOutput is spread over all input elements under the cubic kernel, which
// is widened by the scale where the image shrinks.
//
// gradOutput and out are (N, C, H, W). outputSize has the spatial lengths of the gradient,
// inputSize the whole shape of the result; the scales are the output length over the input length,
// 0 to take it from the sizes; alignCorners puts the outermost elements' centres on one another.
// float32, float16 and bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.interpolate with mode bicubic.
#ifndef PYACLNN_ACLNNOP_ACLNN_UPSAMPLE_BICUBIC2D_AA_GRAD_H_
#define PYACLNN_ACLNNOP_ACLNN_UPSAMPLE_BICUBIC2D_AA_GRAD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnUpsampleBicubic2dAAGradGetWorkspaceSize(
    const aclTensor* gradOutput, const aclIntArray* outputSize, const aclIntArray* inputSize,
    bool alignCorners, double scalesH, double scalesW, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnUpsampleBicubic2dAAGrad(void* workspace, uint64_t workspaceSize,
                                                   aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_UPSAMPLE_BICUBIC2D_AA_GRAD_H_
