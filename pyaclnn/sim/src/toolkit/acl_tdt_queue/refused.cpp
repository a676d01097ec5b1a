// Queues, and the buffers that programs on a device put into them.
// SPDX-License-Identifier: MIT
#include "core/refuse.hpp"

// ACL_ERROR_FEATURE_UNSUPPORTED, which CANN answers to the buffers' on a host, too.
#define QUEUE_REFUSES(function) SIM_REFUSE(200006, function)

QUEUE_REFUSES(acltdtAppendBufChain)
QUEUE_REFUSES(acltdtAttachQueue)
QUEUE_REFUSES(acltdtBindQueueRoutes)
QUEUE_REFUSES(acltdtCopyBufRef)
QUEUE_REFUSES(acltdtCreateQueue)
QUEUE_REFUSES(acltdtDequeue)
QUEUE_REFUSES(acltdtDequeueData)
QUEUE_REFUSES(acltdtDestroyQueue)
QUEUE_REFUSES(acltdtEnqueue)
QUEUE_REFUSES(acltdtEnqueueData)
QUEUE_REFUSES(acltdtFreeBuf)
QUEUE_REFUSES(acltdtGetBufChainNum)
QUEUE_REFUSES(acltdtGetBufData)
QUEUE_REFUSES(acltdtGetBufDataLen)
QUEUE_REFUSES(acltdtGetBufFromChain)
QUEUE_REFUSES(acltdtGetBufUserData)
QUEUE_REFUSES(acltdtGrantQueue)
QUEUE_REFUSES(acltdtSetBufDataLen)
QUEUE_REFUSES(acltdtSetBufUserData)
QUEUE_REFUSES(acltdtUnbindQueueRoutes)
