// aclnnApplyTopKTopP
//
// Keeps the k largest logits of each row and of those the fewest that reach probability p; the
// others become minus infinity.
#ifndef PYACLNN_ACLNNOP_ACLNN_APPLY_TOP_K_TOP_P_H_
#define PYACLNN_ACLNNOP_ACLNN_APPLY_TOP_K_TOP_P_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnApplyTopKTopPGetWorkspaceSize(const aclTensor* logits,
                                                         const aclTensor* p, const aclTensor* k,
                                                         aclTensor* out, uint64_t* workspaceSize,
                                                         aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnApplyTopKTopP(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_APPLY_TOP_K_TOP_P_H_
