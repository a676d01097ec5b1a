// aclnnMoeFinalizeRoutingV3
//
// The rows of experts back at their tokens, weighted and summed, with constant and copied experts.
// Version 3 of its interface. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_MOE_FINALIZE_ROUTING_V3_H_
#define PYACLNN_ACLNNOP_ACLNN_MOE_FINALIZE_ROUTING_V3_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMoeFinalizeRoutingV3GetWorkspaceSize(
    const aclTensor* expandedX, const aclTensor* expandedRowIdx, const aclTensor* x1Optional,
    const aclTensor* x2Optional, const aclTensor* biasOptional, const aclTensor* scalesOptional,
    const aclTensor* expertIdxOptional, const aclTensor* xOptional, const aclTensor* a1Optional,
    const aclTensor* a2Optional, const aclTensor* vOptional, int64_t dropPadMode,
    const aclIntArray* zeroExpertRange, const aclIntArray* copyExpertRange,
    const aclIntArray* constantExpertRange, const aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMoeFinalizeRoutingV3(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MOE_FINALIZE_ROUTING_V3_H_
