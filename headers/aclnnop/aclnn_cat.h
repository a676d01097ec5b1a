// aclnnCat
//
// out = the tensors, one behind the other in dimension dim, which may count from the back.
//
// All other extents agree; a tensor of shape (0,) joins any others. 1 to 8 dimensions. The tensors
// are cast to their common dtype, then to that of out. float32, float16, float64, int8, uint8,
// int16, int32, int64, bool and complex64, and bfloat16 on Atlas A2 and later; all have one format.
//
// See the page of this name in the CANN operator documentation; the function is torch.cat.
#ifndef PYACLNN_ACLNNOP_ACLNN_CAT_H_
#define PYACLNN_ACLNNOP_ACLNN_CAT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnCatGetWorkspaceSize(const aclTensorList* tensors, int64_t dim,
                                               aclTensor* out, uint64_t* workspaceSize,
                                               aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnCat(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CAT_H_
