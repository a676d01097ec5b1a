// aclnnElasticReceivableInfoCollect
//
// Tells which devices of a group answered the latest connection test.
#ifndef PYACLNN_ACLNNOP_ACLNN_ELASTIC_RECEIVABLE_INFO_COLLECT_H_
#define PYACLNN_ACLNNOP_ACLNN_ELASTIC_RECEIVABLE_INFO_COLLECT_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

// As in CANN, for what includes this header.
#ifdef __cplusplus
#include <string>
#endif

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnElasticReceivableInfoCollectGetWorkspaceSize(const char* group,
                                                                        int64_t worldSize,
                                                                        aclTensor* y,
                                                                        uint64_t* workspaceSize,
                                                                        aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnElasticReceivableInfoCollect(void* workspace, uint64_t workspaceSize,
                                                        aclOpExecutor* executor,
                                                        aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ELASTIC_RECEIVABLE_INFO_COLLECT_H_
