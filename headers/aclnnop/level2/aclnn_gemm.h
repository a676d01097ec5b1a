// Where some samples look for aclnnop/aclnn_gemm.h.
#ifndef PYACLNN_ACLNNOP_LEVEL2_ACLNN_GEMM_H_
#define PYACLNN_ACLNNOP_LEVEL2_ACLNN_GEMM_H_

#include "../aclnn_gemm.h"

#endif  // PYACLNN_ACLNNOP_LEVEL2_ACLNN_GEMM_H_
