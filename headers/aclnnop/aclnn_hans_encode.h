// aclnnHansEncode
//
// Compresses floating point numbers without loss, by the frequencies of their exponents.
#ifndef PYACLNN_ACLNNOP_ACLNN_HANS_ENCODE_H_
#define PYACLNN_ACLNNOP_ACLNN_HANS_ENCODE_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnHansEncodeGetWorkspaceSize(
    const aclTensor* inputTensor, aclTensor* pdfRef, bool statistic, bool reshuff,
    const aclTensor* mantissaOut, const aclTensor* fixedOut, const aclTensor* varOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnHansEncode(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_HANS_ENCODE_H_
