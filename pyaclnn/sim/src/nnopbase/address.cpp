// Changing the addresses of planned calls. The operators here read them from the tensors in their
// second phase, so storing into the tensor is all there is to do; the index is not looked at.
// SPDX-License-Identifier: MIT
#include "nnopbase/arguments.hpp"
#include "objects/arrays.hpp"
#include "objects/executor.hpp"
#include "objects/tensor.hpp"

namespace pyaclnn::sim {
namespace {

// The address is stored before the executor is looked at: so CANN does it.
int set_address(aclOpExecutor* executor, const void* tensor, void* address) {
  require(tensor != nullptr, "tensor", ACLNN_ERR_INNER_NULLPTR);
  tensors().get(tensor, ACLNN_ERR_PARAM_INVALID)->set_address(address);
  require(executor != nullptr, "executor", ACLNN_ERR_INNER_NULLPTR);
  find_executor(executor);
  return ACLNN_SUCCESS;
}

aclnnStatus set_one(const char* function, aclOpExecutor* executor, aclTensor* tensor,
                    void* address) {
  return entry(function, [&] { return set_address(executor, tensor, address); });
}

aclnnStatus set_in_list(const char* function, aclOpExecutor* executor, size_t relative_index,
                        aclTensorList* list, void* address) {
  return entry(function, [&] {
    require(list != nullptr, "tensors", ACLNN_ERR_INNER_NULLPTR);
    const auto found = tensor_lists().get(list, ACLNN_ERR_PARAM_INVALID);
    if (relative_index >= found->handles.size())
      fail(ACLNN_ERR_PARAM_INVALID, "relativeIndex is %zu, the list has %zu tensors",
           relative_index, found->handles.size());
    return set_address(executor, found->handles[relative_index], address);
  });
}

}  // namespace
}  // namespace pyaclnn::sim

using namespace pyaclnn::sim;

extern "C" {

aclnnStatus aclSetInputTensorAddr(aclOpExecutor* executor, const size_t, aclTensor* tensor,
                                  void* addr) {
  return set_one("aclSetInputTensorAddr", executor, tensor, addr);
}

aclnnStatus aclSetOutputTensorAddr(aclOpExecutor* executor, const size_t, aclTensor* tensor,
                                   void* addr) {
  return set_one("aclSetOutputTensorAddr", executor, tensor, addr);
}

aclnnStatus aclSetTensorAddr(aclOpExecutor* executor, const size_t, aclTensor* tensor, void* addr) {
  return set_one("aclSetTensorAddr", executor, tensor, addr);
}

aclnnStatus aclSetDynamicInputTensorAddr(aclOpExecutor* executor, size_t,
                                         const size_t relativeIndex, aclTensorList* tensors,
                                         void* addr) {
  return set_in_list("aclSetDynamicInputTensorAddr", executor, relativeIndex, tensors, addr);
}

aclnnStatus aclSetDynamicOutputTensorAddr(aclOpExecutor* executor, size_t,
                                          const size_t relativeIndex, aclTensorList* tensors,
                                          void* addr) {
  return set_in_list("aclSetDynamicOutputTensorAddr", executor, relativeIndex, tensors, addr);
}

aclnnStatus aclSetDynamicTensorAddr(aclOpExecutor* executor, size_t, const size_t relativeIndex,
                                    aclTensorList* tensors, void* addr) {
  return set_in_list("aclSetDynamicTensorAddr", executor, relativeIndex, tensors, addr);
}

aclnnStatus AclSetInputTensorAddr(aclOpExecutor* executor, const size_t, aclTensor* tensor,
                                  void* addr) {
  return set_one("AclSetInputTensorAddr", executor, tensor, addr);
}

aclnnStatus AclSetOutputTensorAddr(aclOpExecutor* executor, const size_t, aclTensor* tensor,
                                   void* addr) {
  return set_one("AclSetOutputTensorAddr", executor, tensor, addr);
}

aclnnStatus AclSetTensorAddr(aclOpExecutor* executor, const size_t, aclTensor* tensor, void* addr) {
  return set_one("AclSetTensorAddr", executor, tensor, addr);
}

aclnnStatus AclSetDynamicInputTensorAddr(aclOpExecutor* executor, size_t,
                                         const size_t relativeIndex, aclTensorList* tensors,
                                         void* addr) {
  return set_in_list("AclSetDynamicInputTensorAddr", executor, relativeIndex, tensors, addr);
}

aclnnStatus AclSetDynamicOutputTensorAddr(aclOpExecutor* executor, size_t,
                                          const size_t relativeIndex, aclTensorList* tensors,
                                          void* addr) {
  return set_in_list("AclSetDynamicOutputTensorAddr", executor, relativeIndex, tensors, addr);
}

aclnnStatus AclSetDynamicTensorAddr(aclOpExecutor* executor, size_t, const size_t relativeIndex,
                                    aclTensorList* tensors, void* addr) {
  return set_in_list("AclSetDynamicTensorAddr", executor, relativeIndex, tensors, addr);
}

}  // extern "C"
