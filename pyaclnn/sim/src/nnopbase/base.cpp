// SPDX-License-Identifier: MIT
#include "aclnn/aclnn_base.h"

#include "core/release.hpp"
#include "nnopbase/arguments.hpp"
#include "objects/tensor.hpp"

using namespace pyaclnn::sim;

extern "C" {

// Nothing needs preparing here, and a bad path is no error in CANN either.
aclnnStatus aclnnInit(const char*) {
  return entry("aclnnInit", [] { return ACLNN_SUCCESS; });
}

aclnnStatus aclnnFinalize(void) {
  return entry("aclnnFinalize", [] { return ACLNN_SUCCESS; });
}

// Only has an effect while dumping is on, and the simulator has no dumping to turn on: the
// arguments are checked, no file is written.
aclnnStatus aclDumpOpTensors(const char* opType, const char* opName, aclTensor** tensors,
                             size_t inputTensorNum, size_t outputTensorNum, aclrtStream stream) {
  return entry("aclDumpOpTensors", [&] {
    require_release("aclDumpOpTensors");
    require(opType != nullptr, "opType");
    require(opName != nullptr, "opName");
    require(tensors != nullptr, "tensors");
    require(stream != nullptr, "stream");
    for (size_t i = 0; i < inputTensorNum + outputTensorNum; ++i) {
      require(tensors[i] != nullptr, "an entry of tensors");
      pyaclnn::sim::tensors().get(tensors[i], ACLNN_ERR_PARAM_INVALID);
    }
    return ACLNN_SUCCESS;
  });
}

}  // extern "C"
