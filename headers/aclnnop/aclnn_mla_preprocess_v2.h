// aclnnMlaPreprocessV2
//
// What latent attention does before it attends: norms, products, rotary embedding and the cache in
// one. Version 2 of its interface. Since CANN 9.0.
#ifndef PYACLNN_ACLNNOP_ACLNN_MLA_PREPROCESS_V2_H_
#define PYACLNN_ACLNNOP_ACLNN_MLA_PREPROCESS_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnMlaPreprocessV2GetWorkspaceSize(
    const aclTensor* input, const aclTensor* gamma0, const aclTensor* beta0,
    const aclTensor* quantScale0, const aclTensor* quantOffset0, const aclTensor* wdqkv,
    const aclTensor* deScale0, const aclTensor* bias0, const aclTensor* gamma1,
    const aclTensor* beta1, const aclTensor* quantScale1, const aclTensor* quantOffset1,
    const aclTensor* wuq, const aclTensor* deScale1, const aclTensor* bias1,
    const aclTensor* gamma2, const aclTensor* cos, const aclTensor* sin, const aclTensor* wuk,
    const aclTensor* kvCache, const aclTensor* kvCacheRope, const aclTensor* slotMapping,
    const aclTensor* ctkvScale, const aclTensor* qNopeScale, int64_t wdqDim, int64_t qRopeDim,
    int64_t kRopeDim, double epsilon, int64_t qRotaryCoeff, int64_t kRotaryCoeff, bool transposeWdq,
    bool transposeWuq, bool transposeWuk, int64_t cacheMode, int64_t quantMode, bool doRmsNorm,
    int64_t wdkvSplitCount, bool qDownOutFlag, const aclTensor* qOut, const aclTensor* kvCacheOut,
    const aclTensor* qRopeOut, const aclTensor* krCacheOut, const aclTensor* qDownOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnMlaPreprocessV2(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MLA_PREPROCESS_V2_H_
