// Captured streams and the graphs made of them.
// SPDX-License-Identifier: MIT
#include <atomic>
#include <chrono>
#include <thread>

#include "check.hpp"

namespace {

constexpr size_t kBytes = 4096;
constexpr aclmdlRICaptureMode kGlobal = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
constexpr aclmdlRICaptureMode kThreadLocal = ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL;
constexpr aclmdlRICaptureMode kRelaxed = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;

/// A device with a stream and two blocks of device memory.
struct Setup {
  Setup() {
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtCreateStream(&stream));
    EXPECT_OK(aclrtMalloc(&a, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_OK(aclrtMalloc(&b, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
    fill(a, 0);
    fill(b, 0);
  }

  static void fill(void* block, int value) { EXPECT_OK(aclrtMemset(block, kBytes, value, kBytes)); }
  static int first_byte(void* block) {
    unsigned char byte = 0;
    EXPECT_OK(aclrtMemcpy(&byte, 1, block, 1, ACL_MEMCPY_DEVICE_TO_HOST));
    return byte;
  }
  void begin(aclmdlRICaptureMode mode = kGlobal) { EXPECT_OK(aclmdlRICaptureBegin(stream, mode)); }
  aclmdlRI end() {
    aclmdlRI graph = nullptr;
    EXPECT_OK(aclmdlRICaptureEnd(stream, &graph));
    EXPECT(graph != nullptr);
    return graph;
  }
  /// b = a, then a = 7.
  aclmdlRI copy_then_fill() {
    begin();
    EXPECT_OK(aclrtMemcpyAsync(b, kBytes, a, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
    EXPECT_OK(aclrtMemsetAsync(a, kBytes, 7, kBytes, stream));
    return end();
  }

  aclrtStream stream = nullptr;
  void* a = nullptr;
  void* b = nullptr;
};

aclrtEvent event() {
  aclrtEvent made = nullptr;
  EXPECT_OK(aclrtCreateEventExWithFlag(&made, ACL_EVENT_SYNC));
  return made;
}

aclrtStream another_stream() {
  aclrtStream made = nullptr;
  EXPECT_OK(aclrtCreateStream(&made));
  return made;
}

}  // namespace

CASE(captured_work_waits_for_the_graph_to_be_executed) {
  Setup setup;
  setup.fill(setup.a, 1);
  aclmdlRI graph = setup.copy_then_fill();
  EXPECT_OK(aclrtSynchronizeStream(setup.stream));
  EXPECT_EQ(setup.first_byte(setup.b), 0);

  EXPECT_OK(aclmdlRIExecuteAsync(graph, setup.stream));
  EXPECT_OK(aclrtSynchronizeStream(setup.stream));

  EXPECT_EQ(setup.first_byte(setup.b), 1);
  EXPECT_EQ(setup.first_byte(setup.a), 7);
}

CASE(a_graph_runs_as_often_as_it_is_executed_and_on_any_stream) {
  Setup setup;
  aclmdlRI graph = setup.copy_then_fill();
  aclrtStream other = another_stream();
  for (aclrtStream stream : {setup.stream, other, aclrtStream(nullptr)}) {
    setup.fill(setup.a, 3);
    EXPECT_OK(aclmdlRIExecuteAsync(graph, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(setup.first_byte(setup.b), 3);
    setup.fill(setup.b, 0);
  }
}

CASE(execute_waits_for_the_graph) {
  Setup setup;
  setup.fill(setup.a, 5);
  aclmdlRI graph = setup.copy_then_fill();
  EXPECT_OK(aclmdlRIExecute(graph, -1));
  EXPECT_EQ(setup.first_byte(setup.b), 5);
  EXPECT_OK(aclmdlRIExecute(graph, 1000));
  EXPECT_EQ(setup.first_byte(setup.b), 7);
  EXPECT_EQ(aclmdlRIExecute(graph, 0), 107000);
  EXPECT_EQ(aclmdlRIExecute(graph, -2), 107000);
  EXPECT_EQ(aclmdlRIExecute(nullptr, -1), 100000);
}

CASE(execute_gives_up_when_its_time_is_over) {
  Setup setup;
  std::atomic<bool> go{false};
  setup.begin();
  EXPECT_OK(aclrtLaunchHostFunc(
      setup.stream,
      [](void* flag) {
        while (!static_cast<std::atomic<bool>*>(flag)->load()) {
        }
      },
      &go));
  aclmdlRI graph = setup.end();
  EXPECT_EQ(aclmdlRIExecute(graph, 20), 507046);
  go.store(true);
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

CASE(host_functions_are_called_by_every_execution) {
  Setup setup;
  std::atomic<int> calls{0};
  setup.begin();
  EXPECT_OK(aclrtLaunchHostFunc(
      setup.stream, [](void* count) { ++*static_cast<std::atomic<int>*>(count); }, &calls));
  aclmdlRI graph = setup.end();
  EXPECT_EQ(calls.load(), 0);
  EXPECT_OK(aclmdlRIExecute(graph, -1));
  EXPECT_OK(aclmdlRIExecute(graph, -1));
  EXPECT_EQ(calls.load(), 2);
}

CASE(blocking_callbacks_are_reported_by_every_execution) {
  Setup setup;
  std::atomic<int> calls{0};
  std::atomic<bool> stop{false};
  std::atomic<bool> subscribed{false};
  std::thread reporter([&] {
    EXPECT_OK(aclrtSetDevice(0));
    while (!subscribed.load()) std::this_thread::yield();
    while (!stop.load()) aclrtProcessReport(20);
    EXPECT_OK(aclrtResetDevice(0));
  });
  auto id = static_cast<uint64_t>(reporter.native_handle());
  EXPECT_OK(aclrtSubscribeReport(id, setup.stream));
  subscribed.store(true);
  setup.begin();
  EXPECT_OK(aclrtLaunchCallback([](void* count) { ++*static_cast<std::atomic<int>*>(count); },
                                &calls, ACL_CALLBACK_BLOCK, setup.stream));
  aclmdlRI graph = setup.end();
  EXPECT_OK(aclmdlRIExecute(graph, -1));
  EXPECT_EQ(calls.load(), 1);
  EXPECT_OK(aclmdlRIExecute(graph, -1));
  EXPECT_EQ(calls.load(), 2);
  stop.store(true);
  reporter.join();
}

CASE(a_stream_that_waits_for_a_captured_event_joins_the_capture) {
  Setup setup;
  aclrtStream side = another_stream();
  aclrtEvent fork = event();
  aclrtEvent join = event();
  setup.fill(setup.a, 2);

  setup.begin();
  EXPECT_OK(aclrtRecordEvent(fork, setup.stream));
  EXPECT_OK(aclrtStreamWaitEvent(side, fork));
  EXPECT_OK(aclrtMemcpyAsync(setup.b, kBytes, setup.a, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, side));
  EXPECT_OK(aclrtRecordEvent(join, side));
  EXPECT_OK(aclrtStreamWaitEvent(setup.stream, join));
  EXPECT_OK(aclrtMemsetAsync(setup.a, kBytes, 9, kBytes, setup.stream));
  aclmdlRI graph = setup.end();
  EXPECT_OK(aclrtSynchronizeStream(side));
  EXPECT_EQ(setup.first_byte(setup.b), 0);

  EXPECT_OK(aclmdlRIExecute(graph, -1));
  EXPECT_EQ(setup.first_byte(setup.b), 2);
  EXPECT_EQ(setup.first_byte(setup.a), 9);
}

CASE(a_joined_stream_must_be_led_back) {
  Setup setup;
  aclrtStream side = another_stream();
  aclrtEvent fork = event();
  aclrtEvent join = event();
  setup.begin();
  EXPECT_OK(aclrtRecordEvent(fork, setup.stream));
  EXPECT_OK(aclrtStreamWaitEvent(side, fork));
  EXPECT_OK(aclrtRecordEvent(join, side));
  EXPECT_OK(aclrtStreamWaitEvent(setup.stream, join));
  EXPECT_OK(aclrtMemsetAsync(setup.b, kBytes, 1, kBytes, side));
  aclmdlRI graph = nullptr;
  EXPECT_EQ(aclmdlRICaptureEnd(setup.stream, &graph), 107025);
  // The capture is over for both streams, and nothing is left of it.
  EXPECT_OK(aclrtSynchronizeStream(setup.stream));
  EXPECT_OK(aclrtSynchronizeStream(side));
  EXPECT_EQ(pyaclnnSimCount("graph"), 0u);
}

CASE(two_joined_streams_may_be_led_back_through_one_another) {
  Setup setup;
  aclrtStream first = another_stream();
  aclrtStream second = another_stream();
  aclrtEvent marks[3] = {event(), event(), event()};
  setup.begin();
  EXPECT_OK(aclrtRecordEvent(marks[0], setup.stream));
  EXPECT_OK(aclrtStreamWaitEvent(first, marks[0]));
  EXPECT_OK(aclrtRecordEvent(marks[1], first));
  EXPECT_OK(aclrtStreamWaitEvent(second, marks[1]));
  EXPECT_OK(aclrtRecordEvent(marks[2], second));
  EXPECT_OK(aclrtStreamWaitEvent(setup.stream, marks[2]));
  EXPECT_OK(aclmdlRIDestroy(setup.end()));
}

CASE(a_captured_stream_cannot_be_waited_for) {
  Setup setup;
  aclrtStreamStatus status;
  setup.begin();
  EXPECT_EQ(aclrtSynchronizeStream(setup.stream), 107027);
  EXPECT_MESSAGE("is captured");
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(setup.stream, 10), 107027);
  EXPECT_EQ(aclrtSynchronizeDevice(), 107027);
  EXPECT_EQ(aclrtStreamQuery(setup.stream, &status), 107027);
  EXPECT_EQ(aclrtStreamAbort(setup.stream), 107027);
  EXPECT_EQ(aclrtDestroyStream(setup.stream), 107027);
  EXPECT_EQ(aclrtDestroyStreamForce(setup.stream), 107027);
  EXPECT_OK(aclmdlRIDestroy(setup.end()));

  EXPECT_OK(aclrtSynchronizeStream(setup.stream));
  EXPECT_OK(aclrtStreamQuery(setup.stream, &status));
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_OK(aclrtDestroyStream(setup.stream));
}

CASE(modes_forbid_copies_that_wait) {
  Setup setup;
  unsigned char byte = 0;
  auto copy = [&] { return aclrtMemcpy(&byte, 1, setup.a, 1, ACL_MEMCPY_DEVICE_TO_HOST); };
  auto copy_elsewhere = [&] {
    aclError status = 0;
    std::thread([&] {
      EXPECT_OK(aclrtSetDevice(0));
      status = copy();
      EXPECT_OK(aclrtResetDevice(0));
    }).join();
    return status;
  };
  setup.begin(kGlobal);
  EXPECT_EQ(copy(), 107030);
  EXPECT_EQ(copy_elsewhere(), 107030);
  EXPECT_EQ(aclrtMemset(setup.a, kBytes, 1, kBytes), 107030);
  EXPECT_EQ(aclrtMemcpy2d(&byte, 1, setup.a, 1, 1, 1, ACL_MEMCPY_DEVICE_TO_HOST), 107030);
  EXPECT_OK(aclmdlRIDestroy(setup.end()));
  EXPECT_OK(copy());

  setup.begin(kThreadLocal);
  EXPECT_EQ(copy(), 107030);
  EXPECT_OK(copy_elsewhere());
  EXPECT_OK(aclmdlRIDestroy(setup.end()));

  setup.begin(kRelaxed);
  EXPECT_OK(copy());
  EXPECT_OK(copy_elsewhere());
  EXPECT_OK(aclmdlRIDestroy(setup.end()));
}

CASE(a_thread_may_ask_for_another_mode) {
  Setup setup;
  unsigned char byte = 0;
  auto copy = [&] { return aclrtMemcpy(&byte, 1, setup.a, 1, ACL_MEMCPY_DEVICE_TO_HOST); };
  setup.begin(kGlobal);
  aclmdlRICaptureMode mode = kRelaxed;
  EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&mode));
  EXPECT_EQ(mode, kGlobal);
  EXPECT_OK(copy());
  mode = kThreadLocal;
  EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&mode));
  EXPECT_EQ(mode, kRelaxed);
  EXPECT_EQ(copy(), 107030);
  std::thread([&] {
    EXPECT_OK(aclrtSetDevice(0));
    aclmdlRICaptureMode other = kThreadLocal;
    EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&other));
    EXPECT_OK(copy());
    EXPECT_OK(aclrtResetDevice(0));
  }).join();
  EXPECT_OK(aclmdlRIDestroy(setup.end()));
  mode = static_cast<aclmdlRICaptureMode>(3);
  EXPECT_EQ(aclmdlRICaptureThreadExchangeMode(&mode), 107000);
  EXPECT_EQ(aclmdlRICaptureThreadExchangeMode(nullptr), 100000);
}

CASE(copies_with_pageable_memory_do_not_go_into_a_graph) {
  Setup setup;
  unsigned char pageable[16] = {};
  void* pinned = nullptr;
  EXPECT_OK(aclrtMallocHost(&pinned, 16));
  aclrtStream free_stream = another_stream();
  auto copy = [&](const void* from, aclrtStream stream) {
    return aclrtMemcpyAsync(setup.a, 16, from, 16, ACL_MEMCPY_HOST_TO_DEVICE, stream);
  };
  setup.begin();
  EXPECT_EQ(copy(pageable, setup.stream), 107027);
  EXPECT_EQ(copy(pageable, free_stream), 107041);
  EXPECT_OK(copy(pinned, setup.stream));
  EXPECT_OK(aclmdlRIDestroy(setup.end()));
  EXPECT_OK(copy(pageable, setup.stream));
  EXPECT_OK(aclrtFreeHost(pinned));
}

CASE(a_captured_event_cannot_be_waited_for) {
  Setup setup;
  aclrtEvent mark = event();
  aclrtEventRecordedStatus status;
  setup.begin();
  EXPECT_OK(aclrtRecordEvent(mark, setup.stream));
  EXPECT_EQ(aclrtQueryEventStatus(mark, &status), 107028);
  EXPECT_EQ(aclrtSynchronizeEvent(mark), 107028);
  EXPECT_EQ(aclrtStreamWaitEvent(nullptr, mark), 107031);
  EXPECT_OK(aclmdlRIDestroy(setup.end()));
  EXPECT_OK(aclrtQueryEventStatus(mark, &status));
  EXPECT_OK(aclrtSynchronizeEvent(mark));
}

CASE(only_events_without_history_go_into_a_graph) {
  Setup setup;
  aclrtEvent plain = nullptr;
  EXPECT_OK(aclrtCreateEvent(&plain));
  aclrtEvent recorded = event();
  EXPECT_OK(aclrtRecordEvent(recorded, setup.stream));
  setup.begin();
  EXPECT_EQ(aclrtRecordEvent(plain, setup.stream), 207000);
  EXPECT_EQ(aclrtStreamWaitEvent(setup.stream, plain), 207000);
  EXPECT_EQ(aclrtStreamWaitEvent(setup.stream, recorded), 107024);
  EXPECT_OK(aclrtStreamWaitEvent(setup.stream, event()));
  EXPECT_OK(aclmdlRIDestroy(setup.end()));
}

CASE(captures_do_not_mix) {
  Setup setup;
  aclrtStream other = another_stream();
  aclrtEvent mark = event();
  aclmdlRICaptureStatus status;
  aclmdlRI graph = nullptr;
  setup.begin();
  EXPECT_OK(aclmdlRICaptureBegin(other, kGlobal));
  EXPECT_OK(aclrtRecordEvent(mark, setup.stream));
  EXPECT_EQ(aclrtStreamWaitEvent(other, mark), 107032);
  EXPECT_OK(aclmdlRICaptureGetInfo(setup.stream, &status, nullptr));
  EXPECT_EQ(status, ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED);
  EXPECT_EQ(aclmdlRICaptureEnd(setup.stream, &graph), 507903);
  EXPECT_EQ(aclmdlRICaptureEnd(other, &graph), 507903);
  EXPECT_EQ(aclmdlRICaptureEnd(other, &graph), 107029);
}

CASE(a_capture_begins_on_a_stream_of_its_own) {
  Setup setup;
  aclrtStream persistent = nullptr;
  EXPECT_OK(aclrtCreateStreamWithConfig(&persistent, 0, ACL_STREAM_PERSISTENT));
  aclrtStream default_stream = nullptr;
  EXPECT_OK(aclrtCtxGetCurrentDefaultStream(&default_stream));
  EXPECT_EQ(aclmdlRICaptureBegin(nullptr, kGlobal), 100000);
  EXPECT_EQ(aclmdlRICaptureBegin(setup.stream, static_cast<aclmdlRICaptureMode>(3)), 107000);
  EXPECT_EQ(aclmdlRICaptureBegin(persistent, kGlobal), 107000);
  EXPECT_EQ(aclmdlRICaptureBegin(default_stream, kGlobal), 207000);
  setup.begin();
  EXPECT_EQ(aclmdlRICaptureBegin(setup.stream, kGlobal), 107027);
  EXPECT_OK(aclmdlRIDestroy(setup.end()));
  setup.begin();
  EXPECT_OK(aclmdlRIDestroy(setup.end()));
}

CASE(a_capture_ends_where_it_began) {
  Setup setup;
  aclrtStream side = another_stream();
  aclrtEvent fork = event();
  aclmdlRI graph = nullptr;
  EXPECT_EQ(aclmdlRICaptureEnd(setup.stream, &graph), 107029);
  setup.begin();
  EXPECT_OK(aclrtRecordEvent(fork, setup.stream));
  EXPECT_OK(aclrtStreamWaitEvent(side, fork));
  EXPECT_EQ(aclmdlRICaptureEnd(side, &graph), 107036);
  EXPECT_EQ(aclmdlRICaptureEnd(setup.stream, nullptr), 100000);
  EXPECT_EQ(aclmdlRICaptureEnd(nullptr, &graph), 100000);
  EXPECT_OK(aclrtRecordEvent(fork, side));
  EXPECT_OK(aclrtStreamWaitEvent(setup.stream, fork));
  EXPECT_OK(aclmdlRIDestroy(setup.end()));
}

CASE(the_thread_that_begins_a_capture_ends_it) {
  Setup setup;
  auto end_elsewhere = [&] {
    aclError status = 0;
    std::thread([&] {
      aclmdlRI graph = nullptr;
      EXPECT_OK(aclrtSetDevice(0));
      status = aclmdlRICaptureEnd(setup.stream, &graph);
      if (status == 0) EXPECT_OK(aclmdlRIDestroy(graph));
      EXPECT_OK(aclrtResetDevice(0));
    }).join();
    return status;
  };
  setup.begin(kThreadLocal);
  EXPECT_EQ(end_elsewhere(), 107038);
  EXPECT_OK(aclrtSynchronizeStream(setup.stream));
  setup.begin(kRelaxed);
  EXPECT_OK(end_elsewhere());
}

CASE(a_stream_tells_what_captures_it) {
  Setup setup;
  aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE;
  aclmdlRI during = nullptr;
  EXPECT_OK(aclmdlRICaptureGetInfo(setup.stream, &status, &during));
  EXPECT_EQ(status, ACL_MODEL_RI_CAPTURE_STATUS_NONE);
  setup.begin();
  EXPECT_OK(aclmdlRICaptureGetInfo(setup.stream, &status, &during));
  EXPECT_EQ(status, ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
  EXPECT_EQ(aclmdlRIExecuteAsync(during, nullptr), 107026);
  EXPECT_EQ(aclmdlRIDebugPrint(during), 107026);
  EXPECT_EQ(aclmdlRIDestroy(during), 107026);
  EXPECT_EQ(aclmdlRICaptureGetInfo(setup.stream, nullptr, nullptr), 100000);
  EXPECT_EQ(setup.end(), during);
}

CASE(a_graph_does_not_run_inside_another) {
  Setup setup;
  aclmdlRI inner = setup.copy_then_fill();
  setup.begin();
  EXPECT_EQ(aclmdlRIExecuteAsync(inner, setup.stream), 107027);
  EXPECT_OK(aclmdlRIDestroy(setup.end()));
  EXPECT_OK(aclmdlRIExecuteAsync(inner, setup.stream));
}

CASE(a_graph_that_uses_freed_memory_fails) {
  Setup setup;
  aclmdlRI graph = setup.copy_then_fill();
  EXPECT_OK(aclmdlRIExecute(graph, -1));
  EXPECT_OK(aclrtFree(setup.b));
  EXPECT_OK(aclmdlRIExecuteAsync(graph, setup.stream));
  EXPECT_EQ(aclrtSynchronizeStream(setup.stream), 507015);
  EXPECT_MESSAGE("aclrtMemcpyAsync, captured on stream");
}

CASE(a_graph_is_run_in_its_own_context) {
  Setup setup;
  aclmdlRI graph = setup.copy_then_fill();
  aclrtContext other = nullptr;
  EXPECT_OK(aclrtCreateContext(&other, 0));
  EXPECT_EQ(aclmdlRIExecuteAsync(graph, nullptr), 107004);
  EXPECT_OK(aclrtDestroyContext(other));
  EXPECT_OK(aclmdlRIExecuteAsync(graph, setup.stream));
}

CASE(a_destroyed_graph_is_recognised) {
  Setup setup;
  aclmdlRI graph = setup.copy_then_fill();
  EXPECT_EQ(pyaclnnSimCount("graph"), 1u);
  EXPECT_OK(aclmdlRIExecuteAsync(graph, setup.stream));
  EXPECT_OK(aclmdlRIDestroy(graph));
  EXPECT_EQ(pyaclnnSimCount("graph"), 0u);
  EXPECT_OK(aclrtSynchronizeStream(setup.stream));
  EXPECT_EQ(setup.first_byte(setup.a), 7);
  EXPECT_EQ(aclmdlRIExecuteAsync(graph, setup.stream), 107000);
  EXPECT_EQ(aclmdlRIDestroy(graph), 107000);
  EXPECT_EQ(aclmdlRIDestroy(setup.stream), 107000);
  EXPECT_EQ(aclmdlRIDestroy(nullptr), 100000);
  EXPECT_EQ(aclmdlRIExecuteAsync(nullptr, setup.stream), 100000);
  EXPECT_EQ(aclmdlRIDebugPrint(graph), 107000);
  EXPECT_EQ(aclmdlRIDebugPrint(nullptr), 100000);
}

CASE(a_context_takes_its_captures_and_graphs_along) {
  EXPECT_OK(aclrtSetDevice(0));
  aclrtContext context = nullptr;
  EXPECT_OK(aclrtCreateContext(&context, 0));
  aclrtStream stream = another_stream();
  EXPECT_OK(aclmdlRICaptureBegin(stream, kGlobal));
  EXPECT_EQ(pyaclnnSimCount("graph"), 1u);
  EXPECT_OK(aclrtDestroyContext(context));
  EXPECT_EQ(pyaclnnSimCount("graph"), 0u);
  EXPECT_EQ(pyaclnnSimCount("stream"), 0u);
  // Nothing forbids copies any more.
  Setup setup;
  EXPECT_EQ(setup.first_byte(setup.a), 0);
}

CASE(a_graph_can_be_printed) {
  Setup setup;
  aclmdlRI graph = setup.copy_then_fill();
  // What it prints goes to stderr, where the driver of this program expects nothing.
  EXPECT(std::freopen("/dev/null", "w", stderr) != nullptr);
  EXPECT_OK(aclmdlRIDebugPrint(graph));
}
