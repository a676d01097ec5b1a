// aclnnDropoutV3Grad
//
// gradX = gradY * scale where the mask's bit is set, and 0 elsewhere.
//
// scale may be any number. mask is uint8, one bit for each element, lowest first, in whole groups
// of 128 bits. float32, float16 and bfloat16, on the 950 only.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.dropout.
#ifndef PYACLNN_ACLNNOP_ACLNN_DROPOUT_V3_GRAD_H_
#define PYACLNN_ACLNNOP_ACLNN_DROPOUT_V3_GRAD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDropoutV3GradGetWorkspaceSize(const aclTensor* gradY,
                                                         const aclTensor* mask, double scale,
                                                         aclTensor* gradX, uint64_t* workspaceSize,
                                                         aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnDropoutV3Grad(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_DROPOUT_V3_GRAD_H_
