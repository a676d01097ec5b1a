// Streams: order, waiting, failures, destruction.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "acl/acl_rt.h"
#include "check.hpp"

namespace {

// Holds a stream until the case opens it.
struct Gate {
  std::atomic<bool> open{false};
  static void wait(void* gate) {
    while (!static_cast<Gate*>(gate)->open.load())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  void hold(aclrtStream stream) { EXPECT_OK(aclrtLaunchHostFunc(stream, &Gate::wait, this)); }
};

void count_up(void* counter) { ++*static_cast<std::atomic<int>*>(counter); }

aclrtStream make_stream() {
  EXPECT_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStream(&stream));
  return stream;
}

// Queues a copy whose target is freed before the stream comes to it.
void queue_failure(aclrtStream stream) {
  Gate gate;
  gate.hold(stream);
  void *gone = nullptr, *kept = nullptr;
  EXPECT_OK(aclrtMalloc(&gone, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtMalloc(&kept, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtMemcpyAsync(gone, 64, kept, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  EXPECT_OK(aclrtFree(gone));
  gate.open = true;
  // Wait without taking the failure away.
  while (pyaclnnSimCount("queued_task") != 0) std::this_thread::yield();
  EXPECT_OK(aclrtFree(kept));
}

}  // namespace

CASE(tasks_run_in_order) {
  aclrtStream stream = make_stream();
  struct Step {
    std::vector<int>* seen;
    int number;
    static void run(void* step) {
      auto* self = static_cast<Step*>(step);
      self->seen->push_back(self->number);
    }
  };
  std::vector<int> seen;
  std::vector<Step> steps;
  for (int i = 0; i < 1000; ++i) steps.push_back({&seen, i});
  for (Step& step : steps) EXPECT_OK(aclrtLaunchHostFunc(stream, &Step::run, &step));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(seen.size(), 1000u);
  EXPECT(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_OK(aclrtDestroyStream(stream));
}

CASE(streams_run_beside_each_other) {
  aclrtStream held = make_stream(), free_running = make_stream();
  Gate gate;
  std::atomic<int> counter{0};
  gate.hold(held);
  EXPECT_OK(aclrtLaunchHostFunc(free_running, &count_up, &counter));
  EXPECT_OK(aclrtSynchronizeStream(free_running));
  EXPECT_EQ(counter.load(), 1);
  gate.open = true;
  EXPECT_OK(aclrtDestroyStream(held));
  EXPECT_OK(aclrtDestroyStream(free_running));
}

CASE(query_tells_pending_from_done) {
  aclrtStream stream = make_stream();
  Gate gate;
  gate.hold(stream);
  aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
  EXPECT_OK(aclrtStreamQuery(stream, &status));
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  EXPECT_EQ(aclrtStreamQuery(stream, nullptr), 100000);
  gate.open = true;
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtStreamQuery(stream, &status));
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
  EXPECT_OK(aclrtDestroyStream(stream));
}

CASE(waiting_with_a_timeout_gives_up_and_the_work_goes_on) {
  aclrtStream stream = make_stream();
  Gate gate;
  gate.hold(stream);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 20), 507046);
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(20), 507046);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 0), 107000);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, -2), 107000);
  gate.open = true;
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, -1));
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, 1000));
  EXPECT_OK(aclrtDestroyStream(stream));
}

CASE(the_null_stream_is_the_default_stream) {
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 107002);
  EXPECT_OK(aclrtSetDevice(0));
  std::atomic<int> counter{0};
  EXPECT_OK(aclrtLaunchHostFunc(nullptr, &count_up, &counter));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(counter.load(), 1);
  EXPECT_EQ(aclrtDestroyStream(nullptr), 100000);
  EXPECT_EQ(aclrtDestroyStreamForce(nullptr), 100000);
}

CASE(streams_are_created_in_every_way) {
  EXPECT_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  uint32_t priority = 9, flags = 9;
  EXPECT_OK(aclrtCreateStreamWithConfig(&stream, 3, ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC));
  EXPECT_OK(aclrtStreamGetPriority(stream, &priority));
  EXPECT_OK(aclrtStreamGetFlags(stream, &flags));
  EXPECT_EQ(priority, 3u);
  EXPECT_EQ(flags, 3u);
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_OK(aclrtCreateStreamWithConfig(&stream, 99, 0xFFFFFF00));
  EXPECT_OK(aclrtStreamGetPriority(stream, &priority));
  EXPECT_OK(aclrtStreamGetFlags(stream, &flags));
  EXPECT_EQ(priority, 7u);
  EXPECT_EQ(flags, 0u);
  EXPECT_OK(aclrtDestroyStream(stream));
  aclrtStreamConfigHandle* config = aclrtCreateStreamConfigHandle();
  uint32_t wanted = 5;
  size_t flag = ACL_STREAM_FAST_SYNC;
  EXPECT_OK(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, &wanted, sizeof wanted));
  EXPECT_OK(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, &flag, sizeof flag));
  EXPECT_OK(aclrtCreateStreamV2(&stream, config));
  EXPECT_OK(aclrtStreamGetPriority(stream, &priority));
  EXPECT_EQ(priority, 5u);
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_OK(aclrtDestroyStreamConfigHandle(config));
}

CASE(creation_is_checked) {
  aclrtStream stream = nullptr;
  EXPECT_EQ(aclrtCreateStream(&stream), 107002);
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_EQ(aclrtCreateStream(nullptr), 100000);
  EXPECT_EQ(aclrtCreateStreamWithConfig(nullptr, 0, 0), 100000);
  EXPECT_EQ(aclrtCreateStreamV2(&stream, nullptr), 100000);
  EXPECT_EQ(aclrtDestroyStreamConfigHandle(nullptr), 100000);
  aclrtStreamConfigHandle* config = aclrtCreateStreamConfigHandle();
  uint32_t value = 1;
  EXPECT_EQ(aclrtCreateStreamV2(nullptr, config), 100000);
  EXPECT_EQ(aclrtSetStreamConfigOpt(nullptr, ACL_RT_STREAM_PRIORITY, &value, 4), 100000);
  EXPECT_EQ(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, nullptr, 4), 100000);
  EXPECT_EQ(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, &value, 3), 100000);
  EXPECT_EQ(aclrtSetStreamConfigOpt(config, aclrtStreamConfigAttr(9), &value, 4), 100000);
  EXPECT_OK(aclrtDestroyStreamConfigHandle(config));
}

CASE(a_configuration_is_of_no_use_once_it_is_destroyed) {
  EXPECT_OK(aclrtSetDevice(0));
  aclrtStreamConfigHandle* config = aclrtCreateStreamConfigHandle();
  EXPECT_OK(aclrtDestroyStreamConfigHandle(config));
  aclrtStream stream = nullptr;
  uint32_t value = 1;
  EXPECT_EQ(aclrtDestroyStreamConfigHandle(config), 100000);
  EXPECT_MESSAGE("destroyed already");
  EXPECT_EQ(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, &value, 4), 100000);
  EXPECT_EQ(aclrtCreateStreamV2(&stream, config), 100000);
}

CASE(queries_of_streams_are_checked) {
  aclrtStream stream = make_stream();
  int32_t id = -1, other_id = -1;
  EXPECT_OK(aclrtStreamGetId(stream, &id));
  EXPECT_OK(aclrtStreamGetId(nullptr, &other_id));
  EXPECT(id != other_id);
  EXPECT_EQ(aclrtStreamGetId(stream, nullptr), 100000);
  EXPECT_EQ(aclrtStreamGetPriority(stream, nullptr), 100000);
  EXPECT_EQ(aclrtStreamGetFlags(stream, nullptr), 100000);
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_EQ(aclrtStreamGetId(stream, &id), 107000);
}

CASE(streams_run_out) {
  EXPECT_OK(aclrtSetDevice(0));
  uint32_t available = 0;
  EXPECT_EQ(aclrtGetStreamAvailableNum(nullptr), 100000);
  EXPECT_OK(aclrtGetStreamAvailableNum(&available));
  EXPECT_EQ(available, 1984u);
  std::vector<aclrtStream> streams(available);
  for (aclrtStream& stream : streams) EXPECT_OK(aclrtCreateStream(&stream));
  aclrtStream one_more = nullptr;
  EXPECT_EQ(aclrtCreateStream(&one_more), 207008);
  for (aclrtStream stream : streams) EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_OK(aclrtCreateStream(&one_more));
  EXPECT_OK(aclrtDestroyStream(one_more));
}

CASE(destroying_waits_for_the_work) {
  aclrtStream stream = make_stream();
  std::atomic<int> counter{0};
  for (int i = 0; i < 100; ++i) EXPECT_OK(aclrtLaunchHostFunc(stream, &count_up, &counter));
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_EQ(counter.load(), 100);
}

CASE(destroying_by_force_drops_what_has_not_begun) {
  aclrtStream stream = make_stream();
  Gate gate;
  gate.hold(stream);
  std::atomic<int> counter{0};
  for (int i = 0; i < 100; ++i) EXPECT_OK(aclrtLaunchHostFunc(stream, &count_up, &counter));
  std::thread opener([&gate] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    gate.open = true;
  });
  EXPECT_OK(aclrtDestroyStreamForce(stream));
  opener.join();
  EXPECT(counter.load() < 100);
  EXPECT_EQ(pyaclnnSimCount("queued_task"), 0u);
}

CASE(aborting_drops_work_and_keeps_the_stream) {
  aclrtStream stream = make_stream();
  Gate gate;
  gate.open = true;
  std::atomic<int> counter{0};
  EXPECT_OK(aclrtStreamAbort(stream));
  EXPECT_OK(aclrtLaunchHostFunc(stream, &count_up, &counter));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(counter.load(), 1);
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_EQ(aclrtStreamAbort(stream), 107000);
}

CASE(a_destroyed_stream_takes_no_work) {
  aclrtStream stream = make_stream();
  EXPECT_OK(aclrtDestroyStream(stream));
  std::atomic<int> counter{0};
  EXPECT_EQ(aclrtLaunchHostFunc(stream, &count_up, &counter), 107000);
  EXPECT_MESSAGE("aclrtStream that was destroyed already");
  EXPECT_EQ(aclrtDestroyStream(stream), 107000);
  EXPECT_EQ(aclrtDestroyStreamForce(stream), 107000);
  EXPECT_EQ(aclrtSynchronizeStream(stream), 107000);
}

CASE(a_stale_handle_never_means_a_newer_stream) {
  aclrtStream old = make_stream();
  EXPECT_OK(aclrtDestroyStream(old));
  aclrtStream young = make_stream();
  EXPECT(young != old);
  EXPECT_EQ(aclrtSynchronizeStream(old), 107000);
  EXPECT_OK(aclrtSynchronizeStream(young));
  EXPECT_OK(aclrtDestroyStream(young));
}

CASE(a_stream_of_another_context_takes_no_work_but_can_be_awaited) {
  aclrtStream stream = make_stream();
  aclrtContext context = nullptr;
  EXPECT_OK(aclrtCreateContext(&context, 0));
  std::atomic<int> counter{0};
  EXPECT_EQ(aclrtLaunchHostFunc(stream, &count_up, &counter), 107003);
  EXPECT_MESSAGE("another context");
  EXPECT_EQ(aclrtDestroyStream(stream), 107003);
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_OK(aclrtDestroyContext(context));
}

CASE(streams_need_a_context_to_be_awaited) {
  aclrtStream stream = make_stream();
  std::thread([stream] {
    EXPECT_EQ(aclrtSynchronizeStream(stream), 107002);
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_OK(aclrtResetDevice(0));
  }).join();
  EXPECT_OK(aclrtDestroyStream(stream));
}

CASE(a_failure_is_reported_once_and_later_tasks_run) {
  aclrtStream stream = make_stream();
  queue_failure(stream);
  std::atomic<int> counter{0};
  EXPECT_OK(aclrtLaunchHostFunc(stream, &count_up, &counter));
  EXPECT_EQ(aclrtSynchronizeStream(stream), 507015);
  EXPECT_MESSAGE("was freed after the call");
  EXPECT_EQ(counter.load(), 1);
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtDestroyStream(stream));
}

CASE(queries_and_device_waits_report_failures_too) {
  aclrtStream stream = make_stream();
  queue_failure(stream);
  aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
  EXPECT_EQ(aclrtStreamQuery(stream, &status), 507015);
  queue_failure(stream);
  EXPECT_EQ(aclrtSynchronizeDevice(), 507015);
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_OK(aclrtDestroyStream(stream));
}

CASE(stop_on_failure_ends_the_work_of_the_context) {
  aclrtStream stream = make_stream(), sibling = make_stream();
  EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  EXPECT_EQ(aclrtSetStreamFailureMode(stream, ACL_CONTINUE_ON_FAILURE), 107000);
  queue_failure(stream);
  std::atomic<int> counter{0};
  EXPECT_EQ(aclrtLaunchHostFunc(stream, &count_up, &counter), 507015);
  EXPECT_EQ(aclrtLaunchHostFunc(sibling, &count_up, &counter), 507015);
  EXPECT_EQ(aclrtSynchronizeStream(stream), 507015);
  EXPECT_EQ(aclrtSynchronizeStream(stream), 507015);
  EXPECT_EQ(counter.load(), 0);
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_OK(aclrtDestroyStream(sibling));
}

CASE(failure_modes_are_checked) {
  aclrtStream stream = make_stream();
  EXPECT_EQ(aclrtSetStreamFailureMode(stream, 2), 107000);
  EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_CONTINUE_ON_FAILURE));
  EXPECT_OK(aclrtSetStreamFailureMode(nullptr, ACL_CONTINUE_ON_FAILURE));
  EXPECT_OK(aclrtDestroyStream(stream));
}

CASE(streams_of_device_side_scheduling_are_not_awaited) {
  EXPECT_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_PERSISTENT));
  Gate gate;
  gate.hold(stream);
  EXPECT_OK(aclrtSynchronizeStream(stream));
  gate.open = true;
  EXPECT_OK(aclrtDestroyStream(stream));
}

CASE(a_host_function_cannot_wait_for_its_own_stream) {
  static aclrtStream stream = nullptr;
  static int sync_status = 0, destroy_status = 0, abort_status = 0;
  stream = make_stream();
  EXPECT_OK(aclrtLaunchHostFunc(
      stream,
      [](void*) {
        EXPECT_OK(aclrtSetDevice(0));
        sync_status = aclrtSynchronizeStream(stream);
        destroy_status = aclrtDestroyStream(stream);
        abort_status = aclrtStreamAbort(stream);
      },
      nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(sync_status, 107000);
  EXPECT_EQ(destroy_status, 107000);
  EXPECT_EQ(abort_status, 107000);
  EXPECT_OK(aclrtDestroyStream(stream));
}

CASE(eight_threads_with_a_stream_each_lose_nothing) {
  EXPECT_OK(aclrtSetDevice(0));
  std::vector<std::thread> threads;
  std::atomic<int> counter{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&counter] {
      aclrtStream stream = make_stream();
      for (int i = 0; i < 2000; ++i) {
        EXPECT_OK(aclrtLaunchHostFunc(stream, &count_up, &counter));
        if (i % 100 == 0) EXPECT_OK(aclrtSynchronizeStream(stream));
      }
      EXPECT_OK(aclrtDestroyStream(stream));
      EXPECT_OK(aclrtResetDevice(0));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counter.load(), 16000);
  EXPECT_EQ(pyaclnnSimCount("total"), 0u);
}
