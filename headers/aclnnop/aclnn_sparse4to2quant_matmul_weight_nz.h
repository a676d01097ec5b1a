// aclnnSparse4to2QuantMatmulWeightNz
//
// Quantised product with a weight of which two in four elements are stored, in the NZ layout.
#ifndef PYACLNN_ACLNNOP_ACLNN_SPARSE4TO2QUANT_MATMUL_WEIGHT_NZ_H_
#define PYACLNN_ACLNNOP_ACLNN_SPARSE4TO2QUANT_MATMUL_WEIGHT_NZ_H_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Packs a weight of which two in four elements are zero, and the places of the others. Runs on the
// host; the caller releases the four arrays.
// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnTransSparse4to2Para(const int8_t* weight, aclIntArray* shape,
                                               int8_t** sparseWeight, int64_t** sparseWeightDims,
                                               uint64_t* sparseWeightDimsNum, uint8_t** index,
                                               int64_t** indexDims, uint64_t* indexDimsNum);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSparse4to2QuantMatmulWeightNzGetWorkspaceSize(
    const aclTensor* x, const aclTensor* sparseWeight, const aclTensor* index,
    const aclTensor* xScale, const aclTensor* sparseWeightScale, const aclTensor* biasOptional,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Since CANN 9.0.
ACLNN_API aclnnStatus aclnnSparse4to2QuantMatmulWeightNz(void* workspace, uint64_t workspaceSize,
                                                         aclOpExecutor* executor,
                                                         aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_SPARSE4TO2QUANT_MATMUL_WEIGHT_NZ_H_
