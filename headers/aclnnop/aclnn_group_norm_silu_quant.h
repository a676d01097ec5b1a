// aclnnGroupNormSiluQuant
//
// silu of a normalisation over groups of channels, quantised to int8.
#ifndef PYACLNN_ACLNNOP_ACLNN_GROUP_NORM_SILU_QUANT_H_
#define PYACLNN_ACLNNOP_ACLNN_GROUP_NORM_SILU_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnGroupNormSiluQuantGetWorkspaceSize(
    const aclTensor* self, const aclTensor* gamma, const aclTensor* beta,
    const aclTensor* quantScale, int64_t group, double eps, bool activateSilu, aclTensor* out,
    aclTensor* meanOut, aclTensor* rstdOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnGroupNormSiluQuant(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_GROUP_NORM_SILU_QUANT_H_
