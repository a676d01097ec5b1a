#ifndef PYACLNN_ACLNNOP_ACLNN_SEARCHSORTED_H_
#define PYACLNN_ACLNNOP_ACLNN_SEARCHSORTED_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnSearchSorted
//
// out = places at which to insert elements into sorted rows.
//
// CANN 8.1 declares (const aclTensor *sortedSequence, const aclTensor *self, const bool outInt32,
// const bool right, const aclTensor *sorter, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor
// **executor).
ACLNN_API aclnnStatus aclnnSearchSortedGetWorkspaceSize(const aclTensor* sortedSequence,
                                                        const aclTensor* self, bool outInt32,
                                                        bool right, const aclTensor* sorter,
                                                        aclTensor* out, uint64_t* workspaceSize,
                                                        aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSearchSorted(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

// aclnnSearchSorteds
//
// out = place at which to insert a scalar into a sorted row.
ACLNN_API aclnnStatus aclnnSearchSortedsGetWorkspaceSize(const aclTensor* sortedSequence,
                                                         const aclScalar* self, const bool outInt32,
                                                         const bool right, const aclTensor* sorter,
                                                         aclTensor* out, uint64_t* workspaceSize,
                                                         aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnSearchSorteds(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SEARCHSORTED_H_
