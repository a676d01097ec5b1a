// aclnnMoeDistributeCombineSetup
//
// Begins to send experts' results back to the ranks of their tokens. Since CANN 9.1.
#ifndef PYACLNN_ACLNNOP_ACLNN_MOE_DISTRIBUTE_COMBINE_SETUP_H_
#define PYACLNN_ACLNNOP_ACLNN_MOE_DISTRIBUTE_COMBINE_SETUP_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMoeDistributeCombineSetupGetWorkspaceSize(
    const aclTensor* expandX, const aclTensor* expertIds, const aclTensor* assistInfoForCombine,
    const char* groupEp, int64_t epWorldSize, int64_t epRankId, int64_t moeExpertNum,
    int64_t expertSharedType, int64_t sharedExpertNum, int64_t sharedExpertRankNum,
    int64_t globalBs, int64_t commQuantMode, int64_t commType, const char* commAlg,
    aclTensor* quantExpandXOut, aclTensor* commCmdInfoOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMoeDistributeCombineSetup(void* workspace, uint64_t workspaceSize,
                                                     aclOpExecutor* executor,
                                                     const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MOE_DISTRIBUTE_COMBINE_SETUP_H_
