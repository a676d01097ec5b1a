// aclnnChunkCat
//
// Pads tensors, splits them into chunks and joins the chunks of all.
#ifndef PYACLNN_ACLNNOP_ACLNN_CHUNK_CAT_H_
#define PYACLNN_ACLNNOP_ACLNN_CHUNK_CAT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnChunkCatGetWorkspaceSize(const aclTensorList* tensors, int64_t dim,
                                                    int64_t numChunks, aclTensor* out,
                                                    uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnChunkCat(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CHUNK_CAT_H_
