// aclnnSwiGluQuantV2
//
// SwiGLU, quantised with given or computed scales. Version 2 of its interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_SWI_GLU_QUANT_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_SWI_GLU_QUANT_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSwiGluQuantV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* smoothScalesOptional, const aclTensor* offsetsOptional,
    const aclTensor* groupIndexOptional, bool activateLeft, char* quantModeOptional,
    int64_t groupListType, int64_t dstType, const aclTensor* yOut, const aclTensor* scaleOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSwiGluQuantV2(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SWI_GLU_QUANT_V2_H_
