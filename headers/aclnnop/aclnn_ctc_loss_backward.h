// aclnnCtcLossBackward
//
// out[t, n, c] = gradOut[n] * (exp(logProbs[t, n, c]) - exp(negLogLikelihood[n] - logProbs[t, n, c]
// + log of the sum of alpha * beta over the places of class c)).
//
// logProbs is (T, N, C), logAlpha the forward operator's (N, T, 2 * S + 1), targets (N, S) or all
// targets joined; inputLengths and targetLengths have N values; blank is the class of the blank.
// With zeroInfinity an infinite loss has the gradient 0. float32 and float64, and float16 and
// bfloat16 on Atlas A2 and later.
//
// See the page of this name in the CANN operator documentation; the forward function is
// torch.nn.functional.ctc_loss.
#ifndef PYACLNN_ACLNNOP_ACLNN_CTC_LOSS_BACKWARD_H_
#define PYACLNN_ACLNNOP_ACLNN_CTC_LOSS_BACKWARD_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

ACLNN_API aclnnStatus aclnnCtcLossBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* logProbs, const aclTensor* targets,
    const aclIntArray* inputLengths, const aclIntArray* targetLengths,
    const aclTensor* negLogLikelihood, const aclTensor* logAlpha, int64_t blank, bool zeroInfinity,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

ACLNN_API aclnnStatus aclnnCtcLossBackward(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_CTC_LOSS_BACKWARD_H_
