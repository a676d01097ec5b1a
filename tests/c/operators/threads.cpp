// Several threads submit to streams of their own and to one they share, while streams are aborted
// and destroyed: nothing is lost, nothing runs twice, and counts agree in the end.
// SPDX-License-Identifier: MIT
#include <atomic>
#include <chrono>
#include <thread>

#include "aclnnop/aclnn_selu_backward.h"
#include "call.hpp"

namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 12;
constexpr int kCalls = 150;

void count(void* counter) { static_cast<std::atomic<int>*>(counter)->fetch_add(1); }

/// The call of a thread, with an output for each stream: two streams must not write one.
struct Work {
  explicit Work(int number)
      : grad({4}, {1, 2, 3, float(number)}),
        self({4}, {9, 9, 9, 9}),
        out_own({4}, {0, 0, 0, 0}),
        out_shared({4}, {0, 0, 0, 0}) {}

  void submit(aclrtStream stream, Array<float>& out) {
    const Planned planned = plan(aclnnSeluBackwardGetWorkspaceSize, grad, self, out);
    EXPECT_OK(planned.status);
    EXPECT_EQ(planned.size, 0u);
    EXPECT_OK(aclnnSeluBackward(nullptr, 0, planned.executor, stream));
  }

  Array<float> grad, self, out_own, out_shared;
};

void use_streams(int number, aclrtContext context, aclrtStream shared, std::atomic<int>& ran) {
  EXPECT_OK(aclrtSetCurrentContext(context));
  for (int round = 0; round < kRounds; ++round) {
    Work work(number);
    aclrtStream own = nullptr;
    EXPECT_OK(aclrtCreateStream(&own));
    for (int i = 0; i < kCalls; ++i) {
      work.submit(own, work.out_own);
      work.submit(shared, work.out_shared);
      EXPECT_OK(aclrtLaunchHostFunc(shared, count, &ran));
      if (i % 50 == 0) {
        EXPECT_OK(aclrtSynchronizeStream(own));
        // Long enough for the worker to fall asleep.
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
    }
    EXPECT_OK(aclrtSynchronizeStream(shared));
    if (round % 3 == 1) EXPECT_OK(aclrtStreamAbort(own));
    if (round % 3 == 2) {
      EXPECT_OK(aclrtDestroyStreamForce(own));
    } else {
      EXPECT_OK(aclrtDestroyStream(own));
    }
    // selu's gradient on its outputs above 0.
    constexpr float kScale = 1.05070098f;
    const std::vector<float> result = work.out_shared.read();
    for (std::size_t i = 0; i < result.size(); ++i)
      EXPECT(std::fabs(result[i] - kScale * (i < 3 ? float(i + 1) : float(number))) < 1e-5f);
  }
}

}  // namespace

CASE(threads_submit_while_streams_come_and_go) {
  Session session;
  aclrtContext context = nullptr;
  EXPECT_OK(aclrtGetCurrentContext(&context));
  std::atomic<int> ran{0};
  std::vector<std::thread> threads;
  for (int number = 0; number < kThreads; ++number)
    threads.emplace_back(use_streams, number, context, session.stream(), std::ref(ran));
  for (std::thread& thread : threads) thread.join();
  EXPECT_OK(session.synchronize());
  EXPECT_EQ(ran.load(), kThreads * kRounds * kCalls);
  EXPECT_EQ(pyaclnnSimCount("queued_task"), 0u);
}

CASE(a_long_queue_runs_in_order) {
  constexpr int kLong = 30000;
  Session session;
  static std::vector<std::intptr_t> order;
  for (int turn = 0; turn < 3; ++turn) {
    order.clear();
    for (std::intptr_t i = 0; i < kLong; ++i)
      EXPECT_OK(aclrtLaunchHostFunc(
          session.stream(),
          [](void* number) { order.push_back(reinterpret_cast<std::intptr_t>(number)); },
          reinterpret_cast<void*>(i)));
    EXPECT_OK(session.synchronize());
    EXPECT_EQ(order.size(), std::size_t(kLong));
    for (std::intptr_t i = 0; i < kLong; ++i) EXPECT_EQ(order[std::size_t(i)], i);
  }
}

CASE(what_an_abort_drops_does_not_run) {
  Session session;
  static std::atomic<bool> open{false};
  std::atomic<int> ran{0};
  EXPECT_OK(aclrtLaunchHostFunc(
      session.stream(),
      [](void*) {
        while (!open.load()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      },
      nullptr));
  for (int i = 0; i < 100; ++i) EXPECT_OK(aclrtLaunchHostFunc(session.stream(), count, &ran));
  std::thread opener([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    open.store(true);
  });
  EXPECT_OK(aclrtStreamAbort(session.stream()));
  opener.join();
  EXPECT_EQ(ran.load(), 0);
  EXPECT_EQ(pyaclnnSimCount("queued_task"), 0u);
  EXPECT_OK(aclrtLaunchHostFunc(session.stream(), count, &ran));
  EXPECT_OK(session.synchronize());
  EXPECT_EQ(ran.load(), 1);
}
