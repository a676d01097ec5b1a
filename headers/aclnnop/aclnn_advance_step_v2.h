// aclnnAdvanceStepV2
//
// Moves the state of a batch of decoding sequences on by one token, in place. Version 2 of its
// interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_ADVANCE_STEP_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_ADVANCE_STEP_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAdvanceStepV2GetWorkspaceSize(
    const aclTensor* inputTokens, const aclTensor* sampledTokenIds, const aclTensor* inputPositions,
    const aclTensor* seqLens, const aclTensor* slotMapping, const aclTensor* blockTables,
    const aclTensor* specToken, const aclTensor* acceptedNum, int64_t numSeqs, int64_t numQueries,
    int64_t blockSize, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnAdvanceStepV2(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ADVANCE_STEP_V2_H_
