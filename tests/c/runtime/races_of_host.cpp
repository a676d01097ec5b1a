// Missing synchronisation with the host, and what lets the host know that work is done.
// SPDX-License-Identifier: MIT
#include <chrono>
#include <future>
#include <string>
#include <thread>

#include "runtime/races.hpp"

CASE(waiting_on_the_host_orders) {
  Setup setup;
  setup.fill(setup.first, setup.a);
  EXPECT_OK(aclrtSynchronizeStream(setup.first));
  setup.fill(setup.second, setup.a);
  EXPECT_OK(aclrtSynchronizeDevice());
  setup.fill(setup.first, setup.a);
  EXPECT_OK(aclrtRecordEvent(setup.event, setup.first));
  EXPECT_OK(aclrtSynchronizeEvent(setup.event));
  setup.fill(setup.second, setup.a);
  EXPECT_NONE();
}

CASE(waiting_for_the_wrong_stream_orders_nothing) {
  Setup setup;
  setup.fill(setup.first, setup.a);
  EXPECT_OK(aclrtSynchronizeStream(setup.second));
  setup.fill(setup.second, setup.a);
  EXPECT_HAZARD(
      "write-after-write, aclrtMemsetAsync writes devPtr, aclrtMemsetAsync writes devPtr, 0:4096");
}

CASE(asking_until_it_is_done_orders) {
  Setup setup;
  setup.fill(setup.first, setup.a);
  aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
  while (status != ACL_STREAM_STATUS_COMPLETE) EXPECT_OK(aclrtStreamQuery(setup.first, &status));
  setup.fill(setup.second, setup.a);
  EXPECT_OK(aclrtRecordEvent(setup.event, setup.second));
  aclrtEventRecordedStatus recorded = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  while (recorded != ACL_EVENT_RECORDED_STATUS_COMPLETE)
    EXPECT_OK(aclrtQueryEventStatus(setup.event, &recorded));
  setup.fill(setup.first, setup.a);
  EXPECT_NONE();
}

CASE(luck_does_not_hide_a_hazard) {
  Setup setup;
  setup.fill(setup.first, setup.a);
  // The work is long done, but nobody asked.
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  setup.fill(setup.second, setup.a);
  EXPECT_HAZARD(
      "write-after-write, aclrtMemsetAsync writes devPtr, aclrtMemsetAsync writes devPtr, 0:4096");
}

CASE(the_host_reads_too_early) {
  Setup setup;
  char host[kBytes];
  setup.fill(setup.first, setup.a);
  EXPECT_OK(aclrtMemcpy(host, kBytes, setup.a, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_HAZARD("read-after-write, aclrtMemsetAsync writes devPtr, aclrtMemcpy reads src, 0:4096");
  setup.fill(setup.first, setup.a);
  EXPECT_OK(aclrtSynchronizeStream(setup.first));
  EXPECT_OK(aclrtMemcpy(host, kBytes, setup.a, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_NONE();
}

CASE(the_host_writes_too_early) {
  Setup setup;
  setup.copy(setup.first, setup.b, setup.a);
  EXPECT_OK(aclrtMemset(setup.a, kBytes, 0, 10));
  EXPECT_HAZARD("write-after-read, aclrtMemcpyAsync reads src, aclrtMemset writes devPtr, 0:10");
  EXPECT_OK(aclrtSynchronizeStream(setup.first));
  EXPECT_OK(aclrtMemset(setup.b, kBytes, 0, 10));
  EXPECT_NONE();
}

CASE(work_after_a_host_access_is_in_order) {
  Setup setup;
  char host[kBytes] = {};
  EXPECT_OK(aclrtMemcpy(setup.a, kBytes, host, kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
  setup.fill(setup.first, setup.a);
  EXPECT_NONE();
}

CASE(memory_is_freed_too_early) {
  Setup setup;
  setup.fill(setup.first, setup.a);
  EXPECT_OK(aclrtFree(setup.a));
  EXPECT_HAZARD("free-after-write, aclrtMemsetAsync writes devPtr, aclrtFree frees , 0:4096");
  setup.copy(setup.second, setup.b, at(setup.b, 2048), 2048);
  EXPECT_OK(aclrtSynchronizeStream(setup.second));
  EXPECT_OK(aclrtFree(setup.b));
  EXPECT_NONE();
}

CASE(a_block_that_is_handed_out_again_starts_afresh) {
  Setup setup;
  setup.fill(setup.first, setup.a);
  EXPECT_OK(aclrtFree(setup.a));
  pyaclnnSimForgetHazards();
  void* again = nullptr;
  EXPECT_OK(aclrtMalloc(&again, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT(again == setup.a);
  setup.fill(setup.second, again);
  EXPECT_NONE();
}

CASE(copies_share_pinned_memory) {
  Setup setup;
  void* host = nullptr;
  EXPECT_OK(aclrtMallocHost(&host, kBytes));
  auto download = [&](aclrtStream stream, void* from) {
    EXPECT_OK(aclrtMemcpyAsync(host, kBytes, from, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  };
  download(setup.first, setup.a);
  download(setup.second, setup.b);
  EXPECT_HAZARD(
      "write-after-write, aclrtMemcpyAsync writes dst, aclrtMemcpyAsync writes dst, 0:4096");
  EXPECT_OK(aclrtSynchronizeDevice());
  download(setup.first, setup.a);
  setup.second_waits_for_first();
  download(setup.second, setup.b);
  EXPECT_NONE();
  EXPECT_OK(aclrtFreeHost(host));
  EXPECT_HAZARD("free-after-write, aclrtMemcpyAsync writes dst, aclrtFreeHost frees , 0:4096");
}

CASE(memory_unregistered_under_a_copy) {
  Setup setup;
  alignas(4096) static char memory[4096];
  EXPECT_OK(aclrtHostRegisterV2(memory, sizeof memory, ACL_HOST_REG_PINNED));
  EXPECT_OK(
      aclrtMemcpyAsync(memory, kBytes, setup.a, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, setup.first));
  EXPECT_OK(aclrtHostUnregister(memory));
  EXPECT_HAZARD(
      "free-after-write, aclrtMemcpyAsync writes dst, aclrtHostUnregister frees , 0:4096");
  // An error, if the memory was gone when the copy ran.
  aclrtSynchronizeStream(setup.first);
  EXPECT_OK(aclrtHostRegisterV2(memory, sizeof memory, ACL_HOST_REG_PINNED));
  EXPECT_OK(
      aclrtMemcpyAsync(memory, kBytes, setup.a, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, setup.first));
  EXPECT_OK(aclrtSynchronizeStream(setup.first));
  EXPECT_OK(aclrtHostUnregister(memory));
  EXPECT_NONE();
}

CASE(a_snapshot_frees_the_source_at_once) {
  Setup setup;
  void* host = nullptr;
  EXPECT_OK(aclrtMallocHost(&host, kBytes));
  auto upload = [&](aclrtMemcpyKind kind) {
    EXPECT_OK(aclrtMemcpyAsync(setup.a, kBytes, host, kBytes, kind, setup.first));
  };
  upload(ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE);
  EXPECT_OK(aclrtMemcpy(host, kBytes, setup.b, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_NONE();
  upload(ACL_MEMCPY_HOST_TO_DEVICE);
  EXPECT_OK(aclrtMemcpy(host, kBytes, setup.b, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_HAZARD("write-after-read, aclrtMemcpyAsync reads src, aclrtMemcpy writes dst, 0:4096");
}

CASE(a_copy_with_pageable_memory_waits_for_its_own_stream_only) {
  Setup setup;
  char host[kBytes];
  setup.fill(setup.first, setup.a);
  EXPECT_OK(
      aclrtMemcpyAsync(host, kBytes, setup.a, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, setup.first));
  EXPECT_NONE();
  setup.fill(setup.first, setup.a);
  EXPECT_OK(
      aclrtMemcpyAsync(host, kBytes, setup.a, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, setup.second));
  EXPECT_HAZARD(
      "read-after-write, aclrtMemsetAsync writes devPtr, aclrtMemcpyAsync reads src, 0:4096");
}

CASE(destroying_a_stream_waits_for_it) {
  Setup setup;
  setup.fill(setup.first, setup.a);
  EXPECT_OK(aclrtDestroyStream(setup.first));
  setup.fill(setup.second, setup.a);
  aclrtStream third = nullptr;
  EXPECT_OK(aclrtCreateStream(&third));
  setup.fill(third, setup.b);
  EXPECT_NONE();
  setup.fill(third, setup.a);
  EXPECT_HAZARD(
      "write-after-write, aclrtMemsetAsync writes devPtr, aclrtMemsetAsync writes devPtr, 0:4096");
}

CASE(a_host_function_tells_of_the_work_before_it) {
  Setup setup;
  std::promise<void> told;
  setup.fill(setup.first, setup.a);
  EXPECT_OK(aclrtLaunchHostFunc(
      setup.first, [](void* promise) { static_cast<std::promise<void>*>(promise)->set_value(); },
      &told));
  setup.fill(setup.first, setup.b);
  told.get_future().wait();
  setup.fill(setup.second, setup.a);
  EXPECT_NONE();
  setup.fill(setup.second, setup.b);
  EXPECT_HAZARD(
      "write-after-write, aclrtMemsetAsync writes devPtr, aclrtMemsetAsync writes devPtr, 0:4096");
}

CASE(what_one_thread_waited_for_another_may_use) {
  Setup setup;
  setup.fill(setup.first, setup.a);
  std::thread([&] {
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtSynchronizeStream(setup.first));
    EXPECT_OK(aclrtResetDevice(0));
  }).join();
  setup.fill(setup.second, setup.a);
  EXPECT_NONE();
}

CASE(in_error_mode_a_host_call_fails_and_does_nothing) {
  Setup setup("error");
  unsigned char host[kBytes] = {42};
  setup.fill(setup.first, setup.a);
  EXPECT_EQ(aclrtMemcpy(host, kBytes, setup.a, kBytes, ACL_MEMCPY_DEVICE_TO_HOST), 507004);
  EXPECT_MESSAGE("read-after-write hazard");
  EXPECT_EQ(host[0], 42);
  setup.fill(setup.first, setup.a);
  EXPECT_EQ(aclrtFree(setup.a), 507004);
  EXPECT_MESSAGE("free-after-write hazard");
  EXPECT_OK(aclrtSynchronizeStream(setup.first));
  EXPECT_OK(aclrtFree(setup.a));
}
