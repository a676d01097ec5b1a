// aclnnSignBitsPack
//
// Packs the signs of eight numbers into a byte.
#ifndef PYACLNN_ACLNNOP_ACLNN_SIGN_BITS_PACK_H_
#define PYACLNN_ACLNNOP_ACLNN_SIGN_BITS_PACK_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnSignBitsPackGetWorkspaceSize(const aclTensor* self, int64_t size,
                                                        aclTensor* out, uint64_t* workspaceSize,
                                                        aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSignBitsPack(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SIGN_BITS_PACK_H_
