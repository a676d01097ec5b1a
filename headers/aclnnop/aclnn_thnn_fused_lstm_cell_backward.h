// aclnnThnnFusedLstmCellBackward
//
// Gradients of one step of a long short-term memory cell.
#ifndef PYACLNN_ACLNNOP_ACLNN_THNN_FUSED_LSTM_CELL_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_THNN_FUSED_LSTM_CELL_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnThnnFusedLstmCellBackwardGetWorkspaceSize(
    const aclTensor* gradHyOptional, const aclTensor* gradCOptional, const aclTensor* cx,
    const aclTensor* cy, const aclTensor* storage, bool hasBias, aclTensor* gradGatesOut,
    aclTensor* gradCxOut, aclTensor* gradBiasOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnThnnFusedLstmCellBackward(void* workspace, uint64_t workspaceSize,
                                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_THNN_FUSED_LSTM_CELL_BACKWARD_H_
