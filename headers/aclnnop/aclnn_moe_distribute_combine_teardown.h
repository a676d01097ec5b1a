// aclnnMoeDistributeCombineTeardown
//
// Waits for what MoeDistributeCombineSetup sent, and sums it by token. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_MOE_DISTRIBUTE_COMBINE_TEARDOWN_H_
#define PYACLNN_ACLNNOP_ACLNN_MOE_DISTRIBUTE_COMBINE_TEARDOWN_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMoeDistributeCombineTeardownGetWorkspaceSize(
    const aclTensor* expandX, const aclTensor* quantExpandX, const aclTensor* expertIds,
    const aclTensor* expandIdx, const aclTensor* expertScales, const aclTensor* commCmdInfo,
    const aclTensor* xActiveMaskOptional, const aclTensor* sharedExpertXOptional,
    const char* groupEp, int64_t epWorldSize, int64_t epRankId, int64_t moeExpertNum,
    int64_t expertShardType, int64_t sharedExpertNum, int64_t sharedExpertRankNum, int64_t globalBs,
    int64_t commQuantMode, int64_t commType, const char* commAlg, aclTensor* xOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMoeDistributeCombineTeardown(void* workspace, uint64_t workspaceSize,
                                                        aclOpExecutor* executor,
                                                        const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MOE_DISTRIBUTE_COMBINE_TEARDOWN_H_
