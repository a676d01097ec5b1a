// aclnnTransQuantParam
//
// Turns scales and offsets of a quantisation into the 64-bit words that the hardware reads.
#ifndef PYACLNN_ACLNNOP_ACLNN_TRANS_QUANT_PARAM_H_
#define PYACLNN_ACLNNOP_ACLNN_TRANS_QUANT_PARAM_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Runs on the host. offsetArray may be null; the caller releases quantParam.
ACLNN_API aclnnStatus aclnnTransQuantParam(const float* scaleArray, uint64_t scaleSize,
                                           const float* offsetArray, uint64_t offsetSize,
                                           uint64_t** quantParam, uint64_t* quantParamSize);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_TRANS_QUANT_PARAM_H_
