// The twelve functions that give a planned call other addresses.
// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_hardswish_backward.h"
#include "call.hpp"

namespace {

using SetOne = aclnnStatus (*)(aclOpExecutor*, const size_t, aclTensor*, void*);
using SetInList = aclnnStatus (*)(aclOpExecutor*, size_t, const size_t, aclTensorList*, void*);

struct Planner {
  Array<float> grad{{2}, {1, 2}};
  Array<float> self{{2}, {9, 9}};
  Array<float> out{{2}, {0, 0}};
  Array<float> other{{2}, {3, 4}};
  aclOpExecutor* executor = nullptr;

  Planner() {
    executor = plan(aclnnHardswishBackwardGetWorkspaceSize, grad, self, out).executor;
    EXPECT_OK(aclSetAclOpExecutorRepeatable(executor));
  }
  ~Planner() { EXPECT_OK(aclDestroyAclOpExecutor(executor)); }
};

void check_one(SetOne set) {
  Session session;
  Planner planner;
  // The index is not looked at, as in CANN for operators of this kind.
  EXPECT_OK(set(planner.executor, 99, planner.grad, planner.other.data()));
  EXPECT_OK(aclnnHardswishBackward(nullptr, 0, planner.executor, session.stream()));
  EXPECT_OK(session.synchronize());
  EXPECT_EQ(text(planner.out.read()), "3 4 ");
  EXPECT_EQ(set(planner.executor, 0, nullptr, planner.grad.data()), kInnerNull);
  EXPECT_EQ(set(nullptr, 0, planner.grad, planner.grad.data()), kInnerNull);
  void* address = nullptr;
  EXPECT_OK(aclGetRawTensorAddr(planner.grad, &address));
  EXPECT(address == planner.grad.data());  // stored before the executor was looked at
  aclTensor* tensor = planner.grad;
  EXPECT_EQ(set(reinterpret_cast<aclOpExecutor*>(tensor), 0, tensor, planner.grad.data()), kInner);
}

void check_in_list(SetInList set) {
  Session session;
  Planner planner;
  const aclTensor* tensors[] = {planner.grad, nullptr};
  aclTensorList* list = aclCreateTensorList(tensors, 2);
  EXPECT_OK(set(planner.executor, 99, 0, list, planner.other.data()));
  void* address = nullptr;
  EXPECT_OK(aclGetRawTensorAddr(planner.grad, &address));
  EXPECT(address == planner.other.data());
  EXPECT_EQ(set(planner.executor, 0, 0, nullptr, nullptr), kInnerNull);
  EXPECT_EQ(set(planner.executor, 0, 2, list, nullptr), kInvalid);
  EXPECT_EQ(set(planner.executor, 0, 1, list, nullptr), kInnerNull);
  EXPECT_EQ(set(nullptr, 0, 0, list, planner.grad.data()), kInnerNull);
  // The list takes its tensor with it.
  EXPECT_OK(aclDestroyTensorList(list));
  planner.grad.forget_tensor();
}

}  // namespace

CASE(an_address_between_elements_is_an_error_of_the_task) {
  Session session;
  Planner planner;
  for (std::size_t off : {1, 2, 3, 4}) {
    char* between = reinterpret_cast<char*>(planner.other.data()) + off;
    EXPECT_OK(aclSetInputTensorAddr(planner.executor, 0, planner.grad, between));
    EXPECT_OK(aclnnHardswishBackward(nullptr, 0, planner.executor, session.stream()));
    // The last one is an address of an element, but too near to the end of the memory.
    EXPECT_EQ(session.synchronize(), 507015);
    EXPECT_MESSAGE(off < 4 ? "is not aligned to an element of 4 bytes" : "8 bytes from");
  }
}

CASE(set_input) { check_one(aclSetInputTensorAddr); }
CASE(set_output) { check_one(aclSetOutputTensorAddr); }
CASE(set_tensor) { check_one(aclSetTensorAddr); }
CASE(set_input_alias) { check_one(AclSetInputTensorAddr); }
CASE(set_output_alias) { check_one(AclSetOutputTensorAddr); }
CASE(set_tensor_alias) { check_one(AclSetTensorAddr); }
CASE(set_in_input_list) { check_in_list(aclSetDynamicInputTensorAddr); }
CASE(set_in_output_list) { check_in_list(aclSetDynamicOutputTensorAddr); }
CASE(set_in_list) { check_in_list(aclSetDynamicTensorAddr); }
CASE(set_in_input_list_alias) { check_in_list(AclSetDynamicInputTensorAddr); }
CASE(set_in_output_list_alias) { check_in_list(AclSetDynamicOutputTensorAddr); }
CASE(set_in_list_alias) { check_in_list(AclSetDynamicTensorAddr); }
