// aclnnElasticReceivableTest
//
// Sends a message to some devices of a group, to test the connections.
#ifndef PYACLNN_ACLNNOP_ACLNN_ELASTIC_RECEIVABLE_TEST_H_
#define PYACLNN_ACLNNOP_ACLNN_ELASTIC_RECEIVABLE_TEST_H_

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
ACLNN_API aclnnStatus aclnnElasticReceivableTestGetWorkspaceSize(
    aclTensor* dstRank, const char* group, int64_t worldSize, int64_t rank_num,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnElasticReceivableTest(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_ELASTIC_RECEIVABLE_TEST_H_
