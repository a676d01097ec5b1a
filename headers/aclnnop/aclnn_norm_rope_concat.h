// aclnnNormRopeConcat
//
// Norm of queries and keys, of the tokens and of those joined to them, and rotary embedding. Since
// CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_NORM_ROPE_CONCAT_H_
#define PYACLNN_ACLNNOP_ACLNN_NORM_ROPE_CONCAT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnNormRopeConcatGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* encoderQuery, const aclTensor* encoderKey, const aclTensor* encoderValue,
    const aclTensor* normQueryWeight, const aclTensor* normQueryBias,
    const aclTensor* normKeyWeight, const aclTensor* normKeyBias,
    const aclTensor* normAddedQueryWeight, const aclTensor* normAddedQueryBias,
    const aclTensor* normAddedKeyWeight, const aclTensor* normAddedKeyBias,
    const aclTensor* ropeSin, const aclTensor* ropeCos, int64_t normType, int64_t normAddedType,
    int64_t ropeType, int64_t concatOrder, double eps, bool isTraining,
    const aclTensor* queryOutput, const aclTensor* keyOutput, const aclTensor* valueOutput,
    const aclTensor* normQueryMean, const aclTensor* normQueryRstd, const aclTensor* normKeyMean,
    const aclTensor* normKeyRstd, const aclTensor* normAddedQueryMean,
    const aclTensor* normAddedQueryRstd, const aclTensor* normAddedKeyMean,
    const aclTensor* normAddedKeyRstd, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnNormRopeConcat(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_NORM_ROPE_CONCAT_H_
