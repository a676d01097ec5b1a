// aclnnEmbeddingDenseBackward
//
// out[indices[i]] is the sum of all grad[i] with that index, divided by their number for
// scaleGradByFreq; row paddingIdx stays 0, with 2^64 - 1 (that is -1) there is none.
//
// out is (numWeights, D), grad has the shape of indices and D more. float32 and float16, and
// bfloat16 on Atlas A2 and later; indices are of any signed integer type, uint8, bool or floating
// point.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.embedding.
#ifndef PYACLNN_ACLNNOP_ACLNN_EMBEDDING_DENSE_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_EMBEDDING_DENSE_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnEmbeddingDenseBackwardGetWorkspaceSize(
    const aclTensor* grad, const aclTensor* indices, uint64_t numWeights, uint64_t paddingIdx,
    bool scaleGradByFreq, const aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnEmbeddingDenseBackward(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor,
                                                  const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_EMBEDDING_DENSE_BACKWARD_H_
