// Missing synchronisation between streams: each way to forget it, and the same program with what
// was forgotten.
// SPDX-License-Identifier: MIT
#include "runtime/races.hpp"

CASE(a_write_after_a_write) {
  Setup setup;
  setup.fill(setup.first, setup.a);
  setup.fill(setup.second, at(setup.a, 100), 200);
  EXPECT_HAZARD(
      "write-after-write, aclrtMemsetAsync writes devPtr, aclrtMemsetAsync writes devPtr, 100:300");
}

CASE(a_read_after_a_write) {
  Setup setup;
  setup.fill(setup.first, setup.a);
  setup.copy(setup.second, setup.b, setup.a);
  EXPECT_HAZARD(
      "read-after-write, aclrtMemsetAsync writes devPtr, aclrtMemcpyAsync reads src, 0:4096");
}

CASE(a_write_after_a_read) {
  Setup setup;
  setup.copy(setup.first, setup.b, setup.a);
  setup.fill(setup.second, setup.a);
  EXPECT_HAZARD(
      "write-after-read, aclrtMemcpyAsync reads src, aclrtMemsetAsync writes devPtr, 0:4096");
}

CASE(reads_are_no_hazard) {
  Setup setup;
  setup.copy(setup.first, setup.b, setup.a, 100);
  setup.copy(setup.second, at(setup.b, 100), setup.a, 100);
  EXPECT_NONE();
}

CASE(neighbours_are_no_hazard) {
  Setup setup;
  setup.fill(setup.first, setup.a, 100);
  setup.fill(setup.second, at(setup.a, 100), 100);
  EXPECT_NONE();
  setup.fill(setup.second, at(setup.a, 99), 1);
  EXPECT_HAZARD(
      "write-after-write, aclrtMemsetAsync writes devPtr, aclrtMemsetAsync writes devPtr, 99:100");
}

CASE(one_stream_is_in_order) {
  Setup setup;
  setup.fill(setup.first, setup.a);
  setup.copy(setup.first, setup.b, setup.a);
  setup.fill(setup.first, setup.a);
  EXPECT_NONE();
}

CASE(an_event_orders_streams) {
  Setup setup;
  setup.fill(setup.first, setup.a);
  setup.second_waits_for_first();
  setup.copy(setup.second, setup.b, setup.a);
  EXPECT_NONE();
  // The event says nothing of what comes after it.
  setup.fill(setup.first, setup.a);
  EXPECT_HAZARD(
      "write-after-read, aclrtMemcpyAsync reads src, aclrtMemsetAsync writes devPtr, 0:4096");
}

CASE(an_event_without_a_wait_orders_nothing) {
  Setup setup;
  setup.fill(setup.first, setup.a);
  EXPECT_OK(aclrtRecordEvent(setup.event, setup.first));
  setup.copy(setup.second, setup.b, setup.a);
  EXPECT_HAZARD(
      "read-after-write, aclrtMemsetAsync writes devPtr, aclrtMemcpyAsync reads src, 0:4096");
}

CASE(an_event_recorded_before_the_work_orders_nothing) {
  Setup setup;
  setup.fill(setup.first, setup.b);
  setup.second_waits_for_first();
  setup.fill(setup.first, setup.a);
  setup.copy(setup.second, setup.b, setup.a);
  EXPECT_HAZARD(
      "read-after-write, aclrtMemsetAsync writes devPtr, aclrtMemcpyAsync reads src, 0:4096");
}

CASE(order_passes_through_a_third_stream) {
  Setup setup;
  aclrtStream third = nullptr;
  aclrtEvent after_third = nullptr;
  EXPECT_OK(aclrtCreateStream(&third));
  EXPECT_OK(aclrtCreateEvent(&after_third));
  setup.fill(setup.first, setup.a);
  EXPECT_OK(aclrtRecordEvent(setup.event, setup.first));
  EXPECT_OK(aclrtStreamWaitEvent(third, setup.event));
  EXPECT_OK(aclrtRecordEvent(after_third, third));
  EXPECT_OK(aclrtStreamWaitEvent(setup.second, after_third));
  setup.copy(setup.second, setup.b, setup.a);
  EXPECT_NONE();
}

CASE(columns_of_a_matrix_are_no_hazard) {
  Setup setup;
  constexpr size_t kPitch = 64;
  auto column = [&](aclrtStream stream, size_t offset, size_t width) {
    EXPECT_OK(aclrtMemcpy2dAsync(at(setup.a, offset), kPitch, setup.b, kPitch, width, 50,
                                 ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  };
  column(setup.first, 0, 16);
  column(setup.second, 16, 16);
  EXPECT_NONE();
  column(setup.second, 15, 1);
  EXPECT_HAZARD(
      "write-after-write, aclrtMemcpy2dAsync writes dst, aclrtMemcpy2dAsync writes dst, 15:3152");
}

CASE(a_wait_for_a_record_that_comes_later_orders) {
  Setup setup;
  aclrtEvent later = nullptr;
  EXPECT_OK(aclrtCreateEventWithFlag(&later, ACL_EVENT_SYNC));
  EXPECT_OK(aclrtStreamWaitEvent(setup.second, later));
  setup.copy(setup.second, setup.b, setup.a);
  setup.fill(setup.first, setup.a);
  EXPECT_OK(aclrtRecordEvent(later, setup.first));
  EXPECT_NONE();
  // The first stream does not wait for the copy in turn.
  setup.fill(setup.first, setup.b);
  EXPECT_HAZARD(
      "write-after-write, aclrtMemcpyAsync writes dst, aclrtMemsetAsync writes devPtr, 0:4096");
}

CASE(what_the_host_did_before_a_record_is_before_what_waits_for_it) {
  Setup setup;
  char host[kBytes];
  aclrtEvent later = nullptr;
  EXPECT_OK(aclrtCreateEventWithFlag(&later, ACL_EVENT_SYNC));
  EXPECT_OK(aclrtStreamWaitEvent(setup.second, later));
  setup.fill(setup.second, setup.a);
  EXPECT_OK(aclrtMemcpy(host, kBytes, setup.a, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_OK(aclrtRecordEvent(later, setup.first));
  EXPECT_NONE();
  EXPECT_OK(aclrtMemcpy(host, kBytes, setup.a, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_HAZARD("read-after-write, aclrtMemsetAsync writes devPtr, aclrtMemcpy reads src, 0:4096");
}

CASE(work_behind_a_wait_that_was_in_vain_counts) {
  Setup setup;
  aclrtEvent never = nullptr;
  EXPECT_OK(aclrtCreateEventWithFlag(&never, ACL_EVENT_SYNC));
  EXPECT_OK(aclrtStreamWaitEvent(setup.second, never));
  setup.fill(setup.second, setup.a);
  setup.fill(setup.first, setup.a);
  EXPECT_OK(aclrtDestroyEvent(never));
  EXPECT_HAZARD(
      "write-after-write, aclrtMemsetAsync writes devPtr, aclrtMemsetAsync writes devPtr, 0:4096");
}

CASE(a_word_in_memory_orders) {
  for (bool waits_first : {false, true}) {
    Setup setup;
    void* word = nullptr;
    EXPECT_OK(aclrtMalloc(&word, 8, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_OK(aclrtMemset(word, 8, 0, 8));
    auto write = [&] {
      setup.fill(setup.first, setup.a);
      EXPECT_OK(aclrtValueWrite(word, 3, 0, setup.first));
    };
    if (!waits_first) write();
    EXPECT_OK(aclrtValueWait(word, 3, 1, setup.second));
    setup.copy(setup.second, setup.b, setup.a);
    if (waits_first) write();
    EXPECT_NONE();
    // What comes behind the write is not waited for.
    setup.fill(setup.first, setup.a);
    EXPECT_HAZARD(
        "write-after-read, aclrtMemcpyAsync reads src, aclrtMemsetAsync writes devPtr, 0:4096");
    EXPECT_OK(aclrtSynchronizeDevice());
  }
}
