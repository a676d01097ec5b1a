// aclnnMlaPrologV3
//
// The projections before a multi-head latent attention: query, and the compressed key in its
// caches. Version 3 of its interface.
#ifndef PYACLNN_ACLNNOP_ACLNN_MLA_PROLOG_V3_H_
#define PYACLNN_ACLNNOP_ACLNN_MLA_PROLOG_V3_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnMlaPrologV3GetWorkspaceSize(
    const aclTensor* tokenX, const aclTensor* weightDq, const aclTensor* weightUqQr,
    const aclTensor* weightUk, const aclTensor* weightDkvKr, const aclTensor* rmsnormGammaCq,
    const aclTensor* rmsnormGammaCkv, const aclTensor* ropeSin, const aclTensor* ropeCos,
    aclTensor* kvCacheRef, aclTensor* krCacheRef, const aclTensor* cacheIndexOptional,
    const aclTensor* dequantScaleXOptional, const aclTensor* dequantScaleWDqOptional,
    const aclTensor* dequantScaleWUqQrOptional, const aclTensor* dequantScaleWDkvKrOptional,
    const aclTensor* quantScaleCkvOptional, const aclTensor* quantScaleCkrOptional,
    const aclTensor* smoothScalesCqOptional, const aclTensor* actualSeqLenOptional,
    const aclTensor* kNopeClipAlphaOptional, double rmsnormEpsilonCq, double rmsnormEpsilonCkv,
    char* cacheModeOptional, bool queryNormFlag, int64_t weightQuantMode, int64_t kvCacheQuantMode,
    int64_t queryQuantMode, int64_t ckvkrRepoMode, int64_t quantScaleRepoMode, int64_t tileSize,
    double qcQrScale, double kcScale, const aclTensor* queryOut, const aclTensor* queryRopeOut,
    const aclTensor* dequantScaleQNopeOut, const aclTensor* queryNormOut,
    const aclTensor* dequantScaleQNormOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnMlaPrologV3(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_MLA_PROLOG_V3_H_
