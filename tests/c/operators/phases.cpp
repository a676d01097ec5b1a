// The two-phase call: workspace, executor, addresses and handles, each misuse beside its twin.
// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_hardswish_backward.h"
#include "aclnnop/aclnn_selu_backward.h"
#include "call.hpp"

namespace {

/// A call that needs no workspace, and one whose strided input needs 512 bytes.
struct Call {
  Array<float> grad{{4}, {1, 2, 3, 4}};
  Array<float> self{{4}, {9, 9, 9, -9}};
  Array<float> out{{4}, {0, 0, 0, 0}};
  Array<float> strided{{4}, {2}, 0, {9, 0, 9, 0, 9, 0, -9, 0}};

  Planned plain() { return plan(aclnnHardswishBackwardGetWorkspaceSize, grad, self, out); }
  Planned with_workspace() {
    return plan(aclnnHardswishBackwardGetWorkspaceSize, grad, strided, out);
  }
  std::string result() { return text(out.read()); }
};

}  // namespace

CASE(a_call_computes) {
  Session session;
  Call call;
  const Planned planned = call.plain();
  EXPECT_OK(planned.status);
  EXPECT_EQ(planned.size, 0u);
  EXPECT_OK(aclnnHardswishBackward(nullptr, 0, planned.executor, session.stream()));
  EXPECT_OK(session.synchronize());
  EXPECT_EQ(call.result(), "1 2 3 0 ");
}

CASE(the_default_stream_serves_too) {
  Session session;
  Call call;
  EXPECT_OK(aclnnHardswishBackward(nullptr, 0, call.plain().executor, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(call.result(), "1 2 3 0 ");
}

CASE(a_strided_input_needs_workspace) {
  Session session;
  Call call;
  const Planned planned = call.with_workspace();
  EXPECT_EQ(planned.size, 512u);
  Memory workspace(planned.size);
  EXPECT_OK(
      aclnnHardswishBackward(workspace.data(), planned.size, planned.executor, session.stream()));
  EXPECT_OK(session.synchronize());
  EXPECT_EQ(call.result(), "1 2 3 0 ");
}

CASE(null_results_are_refused_first) {
  Session session;
  uint64_t size = 77;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnHardswishBackwardGetWorkspaceSize(nullptr, nullptr, nullptr, nullptr, &executor),
            kNull);
  EXPECT_MESSAGE("workspaceSize is null");
  EXPECT_EQ(aclnnHardswishBackwardGetWorkspaceSize(nullptr, nullptr, nullptr, &size, nullptr),
            kNull);
  EXPECT_MESSAGE("executor is null");
}

CASE(a_refused_first_phase_writes_nothing) {
  Session session;
  Call call;
  uint64_t size = 77;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnHardswishBackwardGetWorkspaceSize(call.grad, nullptr, call.out, &size, &executor),
            kNull);
  EXPECT_EQ(size, 77u);
  EXPECT(executor == nullptr);
}

CASE(a_destroyed_tensor_is_refused_in_the_first_phase) {
  Session session;
  Call call;
  aclTensor* gone = call.self;
  call.self.destroy_tensor();
  EXPECT_EQ(refusal(aclnnHardswishBackwardGetWorkspaceSize, call.grad, gone, call.out), kInvalid);
  EXPECT_MESSAGE("destroyed already");
}

CASE(a_null_executor_is_refused) {
  Session session;
  EXPECT_EQ(aclnnHardswishBackward(nullptr, 0, nullptr, session.stream()), kNull);
}

CASE(an_executor_runs_once) {
  Session session;
  Call call;
  const Planned planned = call.plain();
  EXPECT_OK(aclnnHardswishBackward(nullptr, 0, planned.executor, session.stream()));
  EXPECT_EQ(aclnnHardswishBackward(nullptr, 0, planned.executor, session.stream()), kInner);
  EXPECT_MESSAGE("was run or destroyed already");
  EXPECT_OK(session.synchronize());
}

CASE(an_executor_belongs_to_its_operator) {
  Session session;
  Call call;
  const Planned planned = call.plain();
  EXPECT_EQ(aclnnSeluBackward(nullptr, 0, planned.executor, session.stream()), kInner);
  EXPECT_MESSAGE("aclnnHardswishBackwardGetWorkspaceSize");
  EXPECT_EQ(pyaclnnSimCount("executor"), 0u);
}

CASE(another_handle_is_no_executor) {
  Session session;
  Call call;
  aclTensor* tensor = call.grad;
  EXPECT_EQ(aclnnHardswishBackward(nullptr, 0, reinterpret_cast<aclOpExecutor*>(tensor),
                                   session.stream()),
            kInner);
  EXPECT_MESSAGE("aclTensor");
}

CASE(an_unused_executor_is_destroyed_by_the_caller) {
  Session session;
  Call call;
  const Planned planned = call.plain();
  EXPECT_EQ(pyaclnnSimCount("executor"), 1u);
  EXPECT_OK(aclDestroyAclOpExecutor(planned.executor));
  EXPECT_EQ(aclDestroyAclOpExecutor(planned.executor), kInner);
  EXPECT_EQ(aclDestroyAclOpExecutor(nullptr), kInnerNull);
}

CASE(a_missing_workspace_ends_the_executor) {
  Session session;
  Call call;
  const Planned planned = call.with_workspace();
  EXPECT_EQ(aclnnHardswishBackward(nullptr, planned.size, planned.executor, session.stream()),
            kNull);
  EXPECT_MESSAGE("workspace is null, 512 bytes are needed");
  EXPECT_EQ(pyaclnnSimCount("executor"), 0u);
}

CASE(a_missing_workspace_ends_even_a_repeatable_executor) {
  Session session;
  Call call;
  const Planned planned = call.with_workspace();
  EXPECT_OK(aclSetAclOpExecutorRepeatable(planned.executor));
  EXPECT_EQ(aclnnHardswishBackward(nullptr, planned.size, planned.executor, session.stream()),
            kNull);
  EXPECT_EQ(pyaclnnSimCount("executor"), 0u);
}

CASE(a_small_workspace_is_refused) {
  Session session;
  Call call;
  const Planned planned = call.with_workspace();
  Memory workspace(planned.size);
  EXPECT_EQ(aclnnHardswishBackward(workspace.data(), 511, planned.executor, session.stream()),
            kInvalid);
  EXPECT_MESSAGE("511 bytes");
  EXPECT_EQ(pyaclnnSimCount("executor"), 0u);
}

CASE(a_workspace_shorter_than_claimed_is_refused) {
  Session session;
  Call call;
  const Planned planned = call.with_workspace();
  Memory workspace(256);
  EXPECT_EQ(
      aclnnHardswishBackward(workspace.data(), planned.size, planned.executor, session.stream()),
      kInvalid);
  EXPECT_MESSAGE("workspace");
}

CASE(a_host_workspace_is_refused) {
  Session session;
  Call call;
  const Planned planned = call.with_workspace();
  char host[512];
  EXPECT_EQ(aclnnHardswishBackward(host, planned.size, planned.executor, session.stream()),
            kInvalid);
  EXPECT_MESSAGE("host memory");
}

CASE(a_freed_workspace_is_refused) {
  Session session;
  Call call;
  const Planned planned = call.with_workspace();
  Memory workspace(planned.size);
  void* gone = workspace.data();
  workspace.free();
  EXPECT_EQ(aclnnHardswishBackward(gone, planned.size, planned.executor, session.stream()),
            kInvalid);
  EXPECT_MESSAGE("freed");
}

CASE(a_repeatable_executor_runs_again_and_is_destroyed_by_the_caller) {
  Session session;
  Call call;
  const Planned planned = call.plain();
  EXPECT_OK(aclSetAclOpExecutorRepeatable(planned.executor));
  for (int i = 0; i < 3; ++i)
    EXPECT_OK(aclnnHardswishBackward(nullptr, 0, planned.executor, session.stream()));
  EXPECT_OK(session.synchronize());
  EXPECT_EQ(call.result(), "1 2 3 0 ");
  EXPECT_OK(aclDestroyAclOpExecutor(planned.executor));
  EXPECT_EQ(aclSetAclOpExecutorRepeatable(nullptr), kInnerNull);
  EXPECT_EQ(aclSetAclOpExecutorRepeatable(planned.executor), kInner);
}

CASE(a_repeatable_executor_needs_its_tensors) {
  Session session;
  Call call;
  const Planned planned = call.plain();
  EXPECT_OK(aclSetAclOpExecutorRepeatable(planned.executor));
  EXPECT_OK(aclnnHardswishBackward(nullptr, 0, planned.executor, session.stream()));
  call.self.destroy_tensor();
  EXPECT_EQ(aclnnHardswishBackward(nullptr, 0, planned.executor, session.stream()), kInnerNull);
  EXPECT_MESSAGE("the aclTensor of 'self' was destroyed");
  EXPECT_OK(session.synchronize());
  EXPECT_OK(aclDestroyAclOpExecutor(planned.executor));
}

CASE(tensors_may_go_after_the_second_phase_but_not_before) {
  Session session;
  Call call;
  const Planned first = call.plain();
  EXPECT_OK(aclnnHardswishBackward(nullptr, 0, first.executor, session.stream()));
  call.grad.destroy_tensor();
  EXPECT_OK(session.synchronize());
  EXPECT_EQ(call.result(), "1 2 3 0 ");

  Call other;
  const Planned second = other.plain();
  other.grad.destroy_tensor();
  EXPECT_EQ(aclnnHardswishBackward(nullptr, 0, second.executor, session.stream()), kInnerNull);
  EXPECT_MESSAGE("gradOutput");
}

CASE(an_equal_call_is_answered_from_the_cache) {
  Session session;
  Call call;
  EXPECT_OK(aclnnHardswishBackward(nullptr, 0, call.plain().executor, session.stream()));
  const Planned again = call.plain();
  EXPECT_OK(again.status);
  EXPECT_EQ(aclSetAclOpExecutorRepeatable(again.executor), kInner);
  EXPECT_MESSAGE("op cache");
  EXPECT_OK(aclnnHardswishBackward(nullptr, 0, again.executor, session.stream()));
  EXPECT_OK(session.synchronize());
  EXPECT_EQ(call.result(), "1 2 3 0 ");
}

CASE(a_call_that_has_not_run_is_not_in_the_cache) {
  Session session;
  Call call;
  EXPECT_OK(aclDestroyAclOpExecutor(call.plain().executor));
  const Planned again = call.plain();
  EXPECT_OK(aclSetAclOpExecutorRepeatable(again.executor));
  EXPECT_OK(aclDestroyAclOpExecutor(again.executor));
}

CASE(the_cache_knows_shapes_and_workspace_but_not_addresses) {
  Session session;
  Call call;
  Memory workspace(512);
  EXPECT_OK(aclnnHardswishBackward(workspace.data(), 512, call.with_workspace().executor,
                                   session.stream()));
  Call other;
  const Planned planned = other.with_workspace();
  EXPECT_EQ(planned.size, 512u);
  EXPECT_EQ(aclSetAclOpExecutorRepeatable(planned.executor), kInner);
  EXPECT_OK(aclnnHardswishBackward(workspace.data(), 512, planned.executor, session.stream()));
  EXPECT_OK(session.synchronize());
  EXPECT_EQ(other.result(), "1 2 3 0 ");
  const Planned different = other.plain();
  EXPECT_OK(aclSetAclOpExecutorRepeatable(different.executor));
  EXPECT_OK(aclDestroyAclOpExecutor(different.executor));
}

CASE(no_cache_when_it_is_switched_off) {
  Session session;
  Call call;
  EXPECT_OK(aclnnHardswishBackward(nullptr, 0, call.plain().executor, session.stream()));
  EXPECT_OK(session.synchronize());
  const Planned again = call.plain();
  EXPECT_OK(aclSetAclOpExecutorRepeatable(again.executor));
  EXPECT_OK(aclDestroyAclOpExecutor(again.executor));
}

CASE(host_data_faults_on_the_stream) {
  Session session;
  Call call;
  float host[4] = {};
  EXPECT_OK(aclSetRawTensorAddr(call.grad, host));
  EXPECT_OK(aclnnHardswishBackward(nullptr, 0, call.plain().executor, session.stream()));
  EXPECT_EQ(session.synchronize(), kKernelFault);
  EXPECT_MESSAGE("gradOutput");
  EXPECT_OK(session.synchronize());
}

CASE(null_data_faults_on_the_stream) {
  Session session;
  Call call;
  EXPECT_OK(aclSetRawTensorAddr(call.out, nullptr));
  EXPECT_OK(aclnnHardswishBackward(nullptr, 0, call.plain().executor, session.stream()));
  EXPECT_EQ(session.synchronize(), kKernelFault);
  EXPECT_MESSAGE("the address is null");
}

CASE(data_freed_before_the_second_phase_faults_on_the_stream) {
  Session session;
  Call call;
  const Planned planned = call.plain();
  call.self.free();
  EXPECT_OK(aclnnHardswishBackward(nullptr, 0, planned.executor, session.stream()));
  EXPECT_EQ(session.synchronize(), kKernelFault);
  EXPECT_MESSAGE("freed");
}

CASE(data_shorter_than_its_tensor_faults_on_the_stream) {
  Session session;
  Call call;
  Memory small(8);
  EXPECT_OK(aclSetRawTensorAddr(call.grad, small.data()));
  EXPECT_OK(aclnnHardswishBackward(nullptr, 0, call.plain().executor, session.stream()));
  EXPECT_EQ(session.synchronize(), kKernelFault);
  EXPECT_MESSAGE("allocation of 8 bytes");
}

CASE(data_of_another_device_faults_on_the_stream) {
  Session session;
  Call call;
  EXPECT_OK(aclrtSetDevice(1));
  aclrtStream elsewhere = nullptr;
  EXPECT_OK(aclrtCreateStream(&elsewhere));
  EXPECT_OK(aclnnHardswishBackward(nullptr, 0, call.plain().executor, elsewhere));
  EXPECT_EQ(aclrtSynchronizeStream(elsewhere), kKernelFault);
  EXPECT_MESSAGE("device 0, the stream is of device 1");
  EXPECT_OK(aclrtDestroyStream(elsewhere));
  EXPECT_OK(aclrtResetDevice(1));
  EXPECT_OK(aclrtSetDevice(0));
}

CASE(the_address_is_read_in_the_second_phase) {
  Session session;
  Call call;
  Array<float> other({4}, {5, 6, 7, 8});
  const Planned planned = call.plain();
  EXPECT_OK(aclSetRawTensorAddr(call.grad, other.data()));
  EXPECT_OK(aclnnHardswishBackward(nullptr, 0, planned.executor, session.stream()));
  EXPECT_OK(session.synchronize());
  EXPECT_EQ(call.result(), "5 6 7 0 ");
}

CASE(a_failed_stream_argument_ends_the_executor) {
  Session session;
  Call call;
  aclrtStream gone = nullptr;
  EXPECT_OK(aclrtCreateStream(&gone));
  EXPECT_OK(aclrtDestroyStream(gone));
  EXPECT(aclnnHardswishBackward(nullptr, 0, call.plain().executor, gone) != 0);
  EXPECT_EQ(pyaclnnSimCount("executor"), 0u);
}

CASE(injected_failures_leave_no_executor) {
  Session session;
  Call call;
  EXPECT_OK(pyaclnnSimSetFault(
      "aclnnHardswishBackwardGetWorkspaceSize:1:561003,aclnnHardswishBackward:1:361001"));
  EXPECT_EQ(call.plain().status, 561003);
  EXPECT_EQ(aclnnHardswishBackward(nullptr, 0, call.plain().executor, session.stream()), 361001);
  EXPECT_OK(pyaclnnSimSetFault(nullptr));
  EXPECT_EQ(pyaclnnSimCount("executor"), 0u);
}

CASE(an_injected_fault_on_the_stream_is_seen_when_waiting) {
  Session session;
  Call call;
  EXPECT_OK(pyaclnnSimSetFault("aclnnHardswishBackward:1:async=507035"));
  EXPECT_OK(aclnnHardswishBackward(nullptr, 0, call.plain().executor, session.stream()));
  EXPECT_EQ(session.synchronize(), 507035);
}

CASE(an_injected_wrong_result_is_wrong) {
  Session session;
  Call call;
  EXPECT_OK(pyaclnnSimSetFault("aclnnHardswishBackward:1:result"));
  EXPECT_OK(aclnnHardswishBackward(nullptr, 0, call.plain().executor, session.stream()));
  EXPECT_OK(session.synchronize());
  EXPECT(call.out.read()[0] != 1.0f);
  EXPECT_EQ(call.out.read()[1], 2.0f);
}
