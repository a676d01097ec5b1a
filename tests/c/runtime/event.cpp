// Events: the three ways to create them differ in what they may do.
// SPDX-License-Identifier: MIT
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "acl/acl_rt.h"
#include "check.hpp"

namespace {

void sleep_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

// Two streams and a host function that holds the first.
struct Setup {
  Setup() {
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtCreateStream(&first));
    EXPECT_OK(aclrtCreateStream(&second));
  }
  ~Setup() {
    open = true;
    EXPECT_OK(aclrtDestroyStream(first));
    EXPECT_OK(aclrtDestroyStream(second));
    EXPECT_EQ(pyaclnnSimCount("total"), 0u);
  }
  void hold_first() {
    EXPECT_OK(aclrtLaunchHostFunc(
        first,
        [](void* setup) {
          while (!static_cast<Setup*>(setup)->open) sleep_ms(1);
        },
        this));
  }
  aclrtStream first = nullptr, second = nullptr;
  std::atomic<bool> open{false};
};

aclrtEvent plain() {
  aclrtEvent event = nullptr;
  EXPECT_OK(aclrtCreateEvent(&event));
  return event;
}

aclrtEvent with_flag(uint32_t flag) {
  aclrtEvent event = nullptr;
  EXPECT_OK(aclrtCreateEventWithFlag(&event, flag));
  return event;
}

aclrtEvent ex_with_flag(uint32_t flag) {
  aclrtEvent event = nullptr;
  EXPECT_OK(aclrtCreateEventExWithFlag(&event, flag));
  return event;
}

bool recorded(aclrtEvent event) {
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  EXPECT_OK(aclrtQueryEventStatus(event, &status));
  return status == ACL_EVENT_RECORDED_STATUS_COMPLETE;
}

}  // namespace

CASE(creation_is_checked) {
  aclrtEvent event = nullptr;
  EXPECT_EQ(aclrtCreateEvent(&event), 107002);
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_EQ(aclrtCreateEvent(nullptr), 100000);
  EXPECT_EQ(aclrtCreateEventWithFlag(nullptr, ACL_EVENT_SYNC), 100000);
  EXPECT_EQ(aclrtCreateEventExWithFlag(nullptr, ACL_EVENT_SYNC), 100000);
  EXPECT_EQ(aclrtCreateEventWithFlag(&event, 0), 107000);
  EXPECT_EQ(aclrtCreateEventWithFlag(&event, 0x80), 107000);
  EXPECT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_IPC), 107000);
  EXPECT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_EXTERNAL | ACL_EVENT_SYNC), 107000);
  EXPECT_EQ(aclrtCreateEventExWithFlag(&event, 0), 107000);
  EXPECT_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC));
  EXPECT_OK(aclrtDestroyEvent(event));
  EXPECT_EQ(aclrtDestroyEvent(event), 107000);
  EXPECT_EQ(aclrtDestroyEvent(nullptr), 100000);
}

CASE(the_status_before_the_first_record_depends_on_the_kind) {
  Setup setup;
  aclrtEvent a = plain(), b = with_flag(ACL_EVENT_SYNC), c = ex_with_flag(ACL_EVENT_SYNC);
  EXPECT(!recorded(a));
  EXPECT(!recorded(b));
  EXPECT(recorded(c));
  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
  EXPECT_OK(aclrtQueryEvent(a, &status));
  EXPECT_EQ(status, ACL_EVENT_STATUS_NOT_READY);
  EXPECT_EQ(aclrtQueryEvent(c, &status), 207000);
  for (aclrtEvent event : {a, b, c}) EXPECT_OK(aclrtDestroyEvent(event));
}

CASE(a_record_completes_with_the_work_before_it) {
  Setup setup;
  aclrtEvent event = plain();
  setup.hold_first();
  EXPECT_OK(aclrtRecordEvent(event, setup.first));
  EXPECT(!recorded(event));
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 20), 507047);
  setup.open = true;
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT(recorded(event));
  aclrtEventStatus status = ACL_EVENT_STATUS_NOT_READY;
  EXPECT_OK(aclrtQueryEvent(event, &status));
  EXPECT_EQ(status, ACL_EVENT_STATUS_COMPLETE);
  EXPECT_OK(aclrtDestroyEvent(event));
}

CASE(synchronising_an_event_never_recorded_returns_at_once) {
  Setup setup;
  aclrtEvent event = plain();
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_OK(aclrtSynchronizeEventWithTimeout(event, 5));
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 0), 107000);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, -2), 107000);
  EXPECT_EQ(aclrtSynchronizeEvent(nullptr), 100000);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(nullptr, 5), 100000);
  EXPECT_OK(aclrtDestroyEvent(event));
}

CASE(a_stream_waits_for_another_stream) {
  Setup setup;
  aclrtEvent event = with_flag(ACL_EVENT_SYNC);
  static std::atomic<int> step{0};
  setup.hold_first();
  EXPECT_OK(aclrtLaunchHostFunc(setup.first, [](void*) { step = 1; }, nullptr));
  EXPECT_OK(aclrtRecordEvent(event, setup.first));
  EXPECT_OK(aclrtStreamWaitEvent(setup.second, event));
  static int seen = -1;
  EXPECT_OK(aclrtLaunchHostFunc(setup.second, [](void*) { seen = step; }, nullptr));
  aclrtEventWaitStatus waits = ACL_EVENT_WAIT_STATUS_COMPLETE;
  EXPECT_OK(aclrtQueryEventWaitStatus(event, &waits));
  EXPECT_EQ(waits, ACL_EVENT_WAIT_STATUS_NOT_READY);
  sleep_ms(20);
  EXPECT_EQ(seen, -1);
  setup.open = true;
  EXPECT_OK(aclrtSynchronizeStream(setup.second));
  EXPECT_EQ(seen, 1);
  EXPECT_OK(aclrtQueryEventWaitStatus(event, &waits));
  EXPECT_EQ(waits, ACL_EVENT_WAIT_STATUS_COMPLETE);
  EXPECT_OK(aclrtDestroyEvent(event));
}

CASE(a_wait_takes_the_latest_record_at_the_call) {
  Setup setup;
  aclrtEvent event = with_flag(ACL_EVENT_SYNC);
  EXPECT_OK(aclrtRecordEvent(event, setup.second));
  EXPECT_OK(aclrtStreamWaitEvent(setup.second, event));
  setup.hold_first();
  EXPECT_OK(aclrtRecordEvent(event, setup.first));
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(setup.second, 5000));
  setup.open = true;
  EXPECT_OK(aclrtSynchronizeStream(setup.first));
  EXPECT_OK(aclrtDestroyEvent(event));
}

CASE(a_wait_before_the_first_record_depends_on_the_kind) {
  Setup setup;
  aclrtEvent a = plain(), b = with_flag(ACL_EVENT_SYNC), c = ex_with_flag(ACL_EVENT_SYNC);
  EXPECT_EQ(aclrtStreamWaitEvent(setup.second, a), 107000);
  EXPECT_MESSAGE("never recorded");
  EXPECT_OK(aclrtStreamWaitEvent(setup.second, c));
  EXPECT_OK(aclrtSynchronizeStream(setup.second));
  EXPECT_OK(aclrtStreamWaitEvent(setup.second, b));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(setup.second, 20), 507046);
  EXPECT_OK(aclrtRecordEvent(b, setup.first));
  EXPECT_OK(aclrtSynchronizeStream(setup.second));
  for (aclrtEvent event : {a, b, c}) EXPECT_OK(aclrtDestroyEvent(event));
}

CASE(only_events_for_synchronising_make_streams_wait) {
  Setup setup;
  aclrtEvent a = with_flag(ACL_EVENT_TIME_LINE), b = ex_with_flag(ACL_EVENT_TIME_LINE);
  EXPECT_EQ(aclrtStreamWaitEvent(setup.second, a), 207000);
  EXPECT_EQ(aclrtStreamWaitEvent(setup.second, b), 207000);
  EXPECT_EQ(aclrtStreamWaitEvent(setup.second, nullptr), 100000);
  EXPECT_OK(aclrtDestroyEvent(a));
  EXPECT_OK(aclrtDestroyEvent(b));
}

CASE(a_wait_can_have_a_timeout_of_its_own) {
  Setup setup;
  aclrtEvent event = with_flag(ACL_EVENT_SYNC);
  EXPECT_EQ(aclrtStreamWaitEventWithTimeout(setup.second, event, 0), 107000);
  EXPECT_OK(aclrtStreamWaitEventWithTimeout(setup.second, event, 20));
  EXPECT_EQ(aclrtSynchronizeStream(setup.second), 107019);
  EXPECT_MESSAGE("within 20 ms");
  EXPECT_EQ(aclrtStreamWaitEventWithTimeout(setup.second, nullptr, 20), 100000);
  EXPECT_OK(aclrtDestroyEvent(event));
}

CASE(waits_can_have_a_common_timeout) {
  EXPECT_EQ(aclrtSetOpWaitTimeout(1), 107002);
  EXPECT_EQ(aclrtSetOpExecuteTimeOut(1), 107002);
  Setup setup;
  aclrtEvent event = with_flag(ACL_EVENT_SYNC);
  EXPECT_OK(aclrtSetOpExecuteTimeOut(10));
  EXPECT_OK(aclrtSetOpWaitTimeout(1));
  EXPECT_OK(aclrtStreamWaitEvent(setup.second, event));
  EXPECT_EQ(aclrtSynchronizeStream(setup.second), 107019);
  EXPECT_OK(aclrtDestroyEvent(event));
}

CASE(destroying_an_event_nobody_will_record_frees_its_waiters) {
  Setup setup;
  aclrtEvent event = with_flag(ACL_EVENT_SYNC);
  EXPECT_OK(aclrtStreamWaitEvent(setup.second, event));
  EXPECT_OK(aclrtDestroyEvent(event));
  EXPECT_EQ(aclrtSynchronizeStream(setup.second), 107000);
  EXPECT_MESSAGE("destroyed before anyone recorded it");
}

CASE(an_event_may_go_while_its_record_is_pending) {
  Setup setup;
  aclrtEvent event = with_flag(ACL_EVENT_SYNC);
  setup.hold_first();
  EXPECT_OK(aclrtRecordEvent(event, setup.first));
  EXPECT_OK(aclrtStreamWaitEvent(setup.second, event));
  EXPECT_OK(aclrtDestroyEvent(event));
  setup.open = true;
  EXPECT_OK(aclrtSynchronizeStream(setup.second));
}

CASE(a_forced_stream_takes_its_records_with_it) {
  Setup setup;
  aclrtEvent event = with_flag(ACL_EVENT_SYNC), blocker = with_flag(ACL_EVENT_SYNC);
  aclrtStream third = nullptr;
  EXPECT_OK(aclrtCreateStream(&third));
  EXPECT_OK(aclrtStreamWaitEvent(third, blocker));
  EXPECT_OK(aclrtRecordEvent(event, third));
  EXPECT_OK(aclrtStreamWaitEvent(setup.second, event));
  EXPECT_OK(aclrtDestroyStreamForce(third));
  EXPECT_OK(aclrtSynchronizeStream(setup.second));
  EXPECT_OK(aclrtDestroyEvent(event));
  EXPECT_OK(aclrtDestroyEvent(blocker));
}

CASE(reset_makes_an_event_new_again) {
  Setup setup;
  aclrtEvent event = with_flag(ACL_EVENT_SYNC), a = plain(), c = ex_with_flag(ACL_EVENT_SYNC);
  EXPECT_OK(aclrtRecordEvent(event, setup.first));
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT(recorded(event));
  EXPECT_OK(aclrtResetEvent(event, setup.first));
  EXPECT(!recorded(event));
  EXPECT_EQ(aclrtResetEvent(a, setup.first), 207000);
  EXPECT_EQ(aclrtResetEvent(c, setup.first), 207000);
  EXPECT_EQ(aclrtResetEvent(nullptr, setup.first), 100000);
  for (aclrtEvent one : {event, a, c}) EXPECT_OK(aclrtDestroyEvent(one));
}

CASE(elapsed_time_is_what_the_work_took) {
  Setup setup;
  aclrtEvent start = plain(), end = with_flag(ACL_EVENT_TIME_LINE);
  float ms = -1;
  uint64_t from = 0, to = 0;
  EXPECT_OK(aclrtRecordEvent(start, setup.first));
  EXPECT_OK(aclrtLaunchHostFunc(setup.first, [](void*) { sleep_ms(30); }, nullptr));
  EXPECT_OK(aclrtRecordEvent(end, setup.first));
  EXPECT_OK(aclrtSynchronizeStream(setup.first));
  EXPECT_OK(aclrtEventElapsedTime(&ms, start, end));
  EXPECT(ms >= 30 && ms < 5000);
  EXPECT_OK(aclrtEventGetTimestamp(start, &from));
  EXPECT_OK(aclrtEventGetTimestamp(end, &to));
  EXPECT(to - from >= 29000);
  float swapped = 0;
  EXPECT_OK(aclrtEventElapsedTime(&swapped, end, start));
  EXPECT_EQ(swapped, -ms);
  EXPECT_OK(aclrtDestroyEvent(start));
  EXPECT_OK(aclrtDestroyEvent(end));
}

CASE(elapsed_time_is_checked) {
  Setup setup;
  aclrtEvent a = plain(), b = plain(), no_time = with_flag(ACL_EVENT_SYNC);
  float ms = 0;
  uint64_t stamp = 0;
  EXPECT_EQ(aclrtEventElapsedTime(&ms, a, b), 507000);
  EXPECT_EQ(aclrtEventGetTimestamp(a, &stamp), 507000);
  EXPECT_OK(aclrtRecordEvent(a, setup.second));
  EXPECT_OK(aclrtRecordEvent(no_time, setup.second));
  EXPECT_OK(aclrtSynchronizeStream(setup.second));
  EXPECT_EQ(aclrtEventElapsedTime(&ms, a, no_time), 107006);
  setup.hold_first();
  EXPECT_OK(aclrtRecordEvent(b, setup.first));
  EXPECT_EQ(aclrtEventElapsedTime(&ms, a, b), 107006);
  EXPECT_EQ(aclrtEventElapsedTime(nullptr, a, b), 100000);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, nullptr, b), 100000);
  EXPECT_EQ(aclrtEventGetTimestamp(nullptr, &stamp), 100000);
  EXPECT_EQ(aclrtEventGetTimestamp(a, nullptr), 100000);
  setup.open = true;
  for (aclrtEvent event : {a, b, no_time}) EXPECT_OK(aclrtDestroyEvent(event));
}

CASE(event_queries_are_checked) {
  Setup setup;
  aclrtEvent event = plain();
  aclrtEventStatus status = ACL_EVENT_STATUS_COMPLETE;
  aclrtEventRecordedStatus recorded_status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  aclrtEventWaitStatus wait_status = ACL_EVENT_WAIT_STATUS_COMPLETE;
  EXPECT_EQ(aclrtQueryEvent(nullptr, &status), 100000);
  EXPECT_EQ(aclrtQueryEvent(event, nullptr), 100000);
  EXPECT_EQ(aclrtQueryEventStatus(nullptr, &recorded_status), 100000);
  EXPECT_EQ(aclrtQueryEventStatus(event, nullptr), 100000);
  EXPECT_EQ(aclrtQueryEventWaitStatus(nullptr, &wait_status), 100000);
  EXPECT_EQ(aclrtQueryEventWaitStatus(event, nullptr), 100000);
  EXPECT_EQ(aclrtRecordEvent(nullptr, setup.first), 100000);
  EXPECT_EQ(aclrtRecordEvent(setup.first, setup.first), 107000);
  EXPECT_MESSAGE("is an aclrtStream, an aclrtEvent is needed");
  EXPECT_OK(aclrtDestroyEvent(event));
  EXPECT_EQ(aclrtRecordEvent(event, setup.first), 107000);
}

CASE(recording_needs_a_stream_of_the_current_context) {
  Setup setup;
  aclrtEvent event = plain();
  aclrtContext context = nullptr;
  EXPECT_OK(aclrtCreateContext(&context, 0));
  EXPECT_EQ(aclrtRecordEvent(event, setup.first), 107003);
  EXPECT_OK(aclrtDestroyContext(context));
  EXPECT_OK(aclrtRecordEvent(event, setup.first));
  EXPECT_OK(aclrtDestroyEvent(event));
}

CASE(finalize_ends_waits_that_can_never_end) {
  EXPECT_OK(aclInit(nullptr));
  EXPECT_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStream(&stream));
  aclrtEvent event = with_flag(ACL_EVENT_SYNC);
  EXPECT_OK(aclrtStreamWaitEvent(stream, event));
  EXPECT_OK(aclFinalize());
  EXPECT_OK(aclrtDestroyEvent(event));
}
