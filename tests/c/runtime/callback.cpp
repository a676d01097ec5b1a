// Callbacks: report threads, and host functions the stream calls itself.
// SPDX-License-Identifier: MIT
#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <thread>

#include "acl/acl_rt.h"
#include "check.hpp"

namespace {

uint64_t this_thread() { return uint64_t(pthread_self()); }

void count_up(void* counter) { ++*static_cast<std::atomic<int>*>(counter); }

aclrtStream make_stream() {
  EXPECT_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStream(&stream));
  return stream;
}

}  // namespace

CASE(a_report_thread_makes_the_calls) {
  aclrtStream stream = make_stream();
  std::atomic<uint64_t> id{0};
  std::atomic<bool> stop{false};
  std::thread reporter([&] {
    id = this_thread();
    while (!stop) aclrtProcessReport(20);
  });
  while (id == 0) std::this_thread::yield();
  EXPECT_OK(aclrtSubscribeReport(id, stream));
  std::atomic<int> counter{0};
  for (int i = 0; i < 50; ++i)
    EXPECT_OK(aclrtLaunchCallback(&count_up, &counter, ACL_CALLBACK_BLOCK, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(counter.load(), 50);
  EXPECT_OK(aclrtUnSubscribeReport(id, stream));
  stop = true;
  reporter.join();
  EXPECT_OK(aclrtDestroyStream(stream));
}

CASE(the_stream_does_not_wait_for_unblocked_callbacks) {
  aclrtStream stream = make_stream();
  EXPECT_OK(aclrtSubscribeReport(this_thread(), stream));
  std::atomic<int> counter{0};
  EXPECT_OK(aclrtLaunchCallback(&count_up, &counter, ACL_CALLBACK_NO_BLOCK, stream));
  EXPECT_OK(aclrtLaunchCallback(&count_up, &counter, ACL_CALLBACK_NO_BLOCK, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(counter.load(), 0);
  EXPECT_OK(aclrtProcessReport(1000));
  EXPECT_EQ(counter.load(), 1);
  EXPECT_OK(aclrtProcessReport(-1));
  EXPECT_EQ(counter.load(), 2);
  EXPECT_EQ(aclrtProcessReport(10), 507012);
  EXPECT_OK(aclrtUnSubscribeReport(this_thread(), stream));
  EXPECT_OK(aclrtDestroyStream(stream));
}

CASE(the_stream_waits_for_blocking_callbacks) {
  aclrtStream stream = make_stream();
  EXPECT_OK(aclrtSubscribeReport(this_thread(), stream));
  std::atomic<int> counter{0};
  EXPECT_OK(aclrtLaunchCallback(&count_up, &counter, ACL_CALLBACK_BLOCK, stream));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 20), 507046);
  EXPECT_OK(aclrtProcessReport(1000));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(counter.load(), 1);
  EXPECT_OK(aclrtDestroyStream(stream));
}

CASE(one_thread_serves_several_streams) {
  aclrtStream first = make_stream(), second = make_stream();
  EXPECT_OK(aclrtSubscribeReport(this_thread(), first));
  EXPECT_OK(aclrtSubscribeReport(this_thread(), second));
  std::atomic<int> counter{0};
  EXPECT_OK(aclrtLaunchCallback(&count_up, &counter, ACL_CALLBACK_BLOCK, first));
  EXPECT_OK(aclrtLaunchCallback(&count_up, &counter, ACL_CALLBACK_BLOCK, second));
  EXPECT_OK(aclrtProcessReport(1000));
  EXPECT_OK(aclrtProcessReport(1000));
  EXPECT_OK(aclrtUnSubscribeReport(this_thread(), first));
  EXPECT_EQ(aclrtProcessReport(10), 507012);
  EXPECT_OK(aclrtUnSubscribeReport(this_thread(), second));
  EXPECT_EQ(aclrtProcessReport(10), 107012);
  EXPECT_OK(aclrtDestroyStream(first));
  EXPECT_OK(aclrtDestroyStream(second));
}

CASE(unsubscribing_lets_a_blocked_stream_go_on) {
  aclrtStream stream = make_stream();
  EXPECT_OK(aclrtSubscribeReport(this_thread(), stream));
  std::atomic<int> counter{0};
  EXPECT_OK(aclrtLaunchCallback(&count_up, &counter, ACL_CALLBACK_BLOCK, stream));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 50), 507046);
  EXPECT_OK(aclrtUnSubscribeReport(this_thread(), stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(counter.load(), 0);
  EXPECT_OK(aclrtDestroyStream(stream));
}

CASE(callbacks_are_checked) {
  aclrtStream stream = make_stream();
  std::atomic<int> counter{0};
  EXPECT_EQ(aclrtLaunchCallback(&count_up, &counter, ACL_CALLBACK_BLOCK, stream), 107015);
  EXPECT_EQ(aclrtUnSubscribeReport(this_thread(), stream), 107011);
  EXPECT_OK(aclrtSubscribeReport(this_thread(), stream));
  EXPECT_EQ(aclrtSubscribeReport(this_thread(), stream), 107011);
  EXPECT_EQ(aclrtUnSubscribeReport(this_thread() + 1, stream), 107012);
  EXPECT_EQ(aclrtLaunchCallback(&count_up, &counter, aclrtCallbackBlockType(2), stream), 100000);
  EXPECT_EQ(aclrtLaunchCallback(nullptr, &counter, ACL_CALLBACK_BLOCK, stream), 107000);
  EXPECT_EQ(aclrtProcessReport(0), 100000);
  EXPECT_EQ(aclrtProcessReport(-2), 100000);
  std::thread([] { EXPECT_EQ(aclrtProcessReport(10), 107012); }).join();
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_EQ(aclrtSubscribeReport(this_thread(), stream), 107000);
}

CASE(a_destroyed_stream_is_unsubscribed) {
  aclrtStream stream = make_stream();
  EXPECT_OK(aclrtSubscribeReport(this_thread(), stream));
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_EQ(aclrtProcessReport(10), 107012);
}

CASE(host_functions_run_in_stream_order) {
  aclrtStream stream = make_stream();
  void* block = nullptr;
  EXPECT_OK(aclrtMallocHost(&block, 1));
  void* device = nullptr;
  EXPECT_OK(aclrtMalloc(&device, 1, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtMemsetAsync(device, 1, 42, 1, stream));
  EXPECT_OK(aclrtMemcpyAsync(block, 1, device, 1, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  EXPECT_OK(
      aclrtLaunchHostFunc(stream, [](void* byte) { ++*static_cast<unsigned char*>(byte); }, block));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(int(*static_cast<unsigned char*>(block)), 43);
  EXPECT_EQ(aclrtLaunchHostFunc(stream, nullptr, block), 107000);
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_OK(aclrtFree(device));
  EXPECT_OK(aclrtFreeHost(block));
}
