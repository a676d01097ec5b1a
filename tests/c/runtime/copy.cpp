// Copies and fills, at once and in streams.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

#include "acl/acl_rt.h"
#include "check.hpp"

namespace {

using Bytes = std::vector<unsigned char>;

Bytes counting(size_t size) {
  Bytes bytes(size);
  std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(1));
  return bytes;
}

// A device block, a pinned block and a stream; released at the end of the case.
struct Setup {
  explicit Setup(size_t bytes = 256) : size(bytes) {
    EXPECT_OK(aclrtSetDevice(0));
    void* block = nullptr;
    EXPECT_OK(aclrtMalloc(&block, size, ACL_MEM_MALLOC_HUGE_FIRST));
    device = static_cast<unsigned char*>(block);
    EXPECT_OK(aclrtMallocHost(&block, size));
    pinned = static_cast<unsigned char*>(block);
    EXPECT_OK(aclrtCreateStream(&stream));
  }
  ~Setup() {
    EXPECT_OK(aclrtDestroyStream(stream));
    EXPECT_OK(aclrtFree(device));
    EXPECT_OK(aclrtFreeHost(pinned));
    EXPECT_EQ(pyaclnnSimCount("total"), 0u);
  }
  Bytes read(size_t count) const {
    Bytes back(count);
    EXPECT_OK(aclrtMemcpy(back.data(), count, device, count, ACL_MEMCPY_DEVICE_TO_HOST));
    return back;
  }

  size_t size;
  unsigned char* device = nullptr;
  unsigned char* pinned = nullptr;
  aclrtStream stream = nullptr;
};

}  // namespace

CASE(bytes_go_to_the_device_and_back) {
  Setup setup;
  Bytes data = counting(200);
  EXPECT_OK(aclrtMemcpy(setup.device, 256, data.data(), 200, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT(setup.read(200) == data);
}

CASE(large_copies_are_complete) {
  Setup setup(size_t(37) << 20);
  Bytes data = counting(setup.size);
  EXPECT_OK(aclrtMemcpy(setup.device, setup.size, data.data(), setup.size, ACL_MEMCPY_DEFAULT));
  EXPECT(setup.read(setup.size) == data);
}

CASE(the_pointers_decide_the_direction_of_a_synchronous_copy) {
  Setup setup;
  Bytes data = counting(64), back(64);
  EXPECT_OK(aclrtMemcpy(setup.device, 64, data.data(), 64, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_OK(aclrtMemcpy(back.data(), 64, setup.device, 64, ACL_MEMCPY_HOST_TO_HOST));
  EXPECT(back == data);
  EXPECT_OK(aclrtMemcpy(back.data(), 64, data.data(), 64, ACL_MEMCPY_HOST_TO_HOST));
}

CASE(overlapping_copies_within_the_device_are_exact) {
  Setup setup;
  Bytes data = counting(128);
  EXPECT_OK(aclrtMemcpy(setup.device, 256, data.data(), 128, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtMemcpy(setup.device + 3, 253, setup.device, 128, ACL_MEMCPY_DEVICE_TO_DEVICE));
  Bytes back = setup.read(131);
  EXPECT(std::equal(data.begin(), data.end(), back.begin() + 3));
}

CASE(copying_nothing_succeeds) {
  EXPECT_OK(aclrtMemcpy(nullptr, 0, nullptr, 0, ACL_MEMCPY_DEFAULT));
  EXPECT_OK(aclrtMemcpyAsync(nullptr, 0, nullptr, 0, ACL_MEMCPY_DEFAULT, nullptr));
  EXPECT_OK(aclrtMemset(nullptr, 0, 0, 0));
  EXPECT_OK(aclrtMemsetAsync(nullptr, 0, 0, 0, nullptr));
  EXPECT_OK(aclrtMemcpy2d(nullptr, 0, nullptr, 0, 0, 5, ACL_MEMCPY_DEFAULT));
  EXPECT_OK(aclrtMemcpy2dAsync(nullptr, 0, nullptr, 0, 5, 0, ACL_MEMCPY_DEFAULT, nullptr));
}

CASE(copy_arguments_are_checked) {
  Setup setup;
  unsigned char host[64] = {};
  EXPECT_EQ(aclrtMemcpy(nullptr, 8, host, 8, ACL_MEMCPY_DEFAULT), 100000);
  EXPECT_EQ(aclrtMemcpy(host, 8, nullptr, 8, ACL_MEMCPY_DEFAULT), 100000);
  EXPECT_EQ(aclrtMemcpy(setup.device, 8, host, 8, aclrtMemcpyKind(6)), 100000);
  EXPECT_EQ(aclrtMemcpy(setup.device, 8, host, 8, aclrtMemcpyKind(-1)), 100000);
  EXPECT_EQ(aclrtMemcpy(setup.device, 0, host, 8, ACL_MEMCPY_DEFAULT), 107000);
  EXPECT_EQ(aclrtMemcpy(setup.device, 7, host, 8, ACL_MEMCPY_DEFAULT), 107000);
  EXPECT_OK(aclrtMemcpy(setup.device, 8, setup.device, 8, ACL_MEMCPY_DEFAULT));
}

CASE(copies_stay_inside_their_block) {
  Setup setup;
  Bytes data(4096);
  EXPECT_EQ(aclrtMemcpy(setup.device, 4096, data.data(), 4096, ACL_MEMCPY_HOST_TO_DEVICE), 107000);
  EXPECT_MESSAGE("dst");
  EXPECT_EQ(aclrtMemcpy(data.data(), 4096, setup.device + 200, 200, ACL_MEMCPY_DEVICE_TO_HOST),
            107000);
  EXPECT_MESSAGE("200 are needed");
}

CASE(freed_memory_is_not_copied) {
  Setup setup;
  unsigned char host[8] = {};
  void* gone = nullptr;
  EXPECT_OK(aclrtMalloc(&gone, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtFree(gone));
  EXPECT_EQ(aclrtMemcpy(host, 8, gone, 8, ACL_MEMCPY_DEVICE_TO_HOST), 107000);
  EXPECT_MESSAGE("no live block");
}

CASE(pinned_memory_is_copied_in_the_stream) {
  Setup setup;
  Bytes data = counting(100);
  std::copy(data.begin(), data.end(), setup.pinned);
  EXPECT_OK(aclrtMemcpyAsync(setup.device, 256, setup.pinned, 100, ACL_MEMCPY_HOST_TO_DEVICE,
                             setup.stream));
  EXPECT_OK(aclrtSynchronizeStream(setup.stream));
  EXPECT(setup.read(100) == data);
  EXPECT_OK(aclrtMemset(setup.pinned, 256, 0, 256));
  EXPECT_OK(aclrtMemcpyAsyncWithCondition(setup.pinned, 256, setup.device, 100,
                                          ACL_MEMCPY_DEVICE_TO_HOST, setup.stream));
  EXPECT_OK(aclrtSynchronizeStream(setup.stream));
  EXPECT(std::equal(data.begin(), data.end(), setup.pinned));
}

CASE(pageable_memory_is_copied_before_the_call_returns) {
  Setup setup;
  Bytes data = counting(100), back(100);
  EXPECT_OK(aclrtMemcpyAsync(setup.device, 256, data.data(), 100, ACL_MEMCPY_HOST_TO_DEVICE,
                             setup.stream));
  EXPECT_OK(aclrtMemcpyAsync(back.data(), 100, setup.device, 100, ACL_MEMCPY_DEVICE_TO_HOST,
                             setup.stream));
  EXPECT(back == data);
}

CASE(a_pageable_source_may_change_when_the_call_has_returned) {
  Setup setup;
  Bytes data = counting(100), sent = data;
  EXPECT_OK(aclrtLaunchHostFunc(
      setup.stream, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(30)); },
      nullptr));
  EXPECT_OK(aclrtMemcpyAsync(setup.device, 256, sent.data(), 100, ACL_MEMCPY_HOST_TO_DEVICE,
                             setup.stream));
  std::fill(sent.begin(), sent.end(), static_cast<unsigned char>(0));
  EXPECT_OK(aclrtSynchronizeStream(setup.stream));
  EXPECT(setup.read(100) == data);
}

CASE(buffered_copies_take_the_source_at_the_call) {
  Setup setup;
  Bytes data = counting(100), sent = data;
  EXPECT_OK(aclrtMemcpyAsync(setup.device, 256, sent.data(), 100, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE,
                             setup.stream));
  std::fill(sent.begin(), sent.end(), static_cast<unsigned char>(0));
  EXPECT_OK(aclrtSynchronizeStream(setup.stream));
  EXPECT(setup.read(100) == data);
}

CASE(asynchronous_copies_check_the_direction) {
  Setup setup;
  unsigned char host[64] = {};
  EXPECT_EQ(aclrtMemcpyAsync(host, 64, setup.pinned, 64, ACL_MEMCPY_HOST_TO_HOST, setup.stream),
            207000);
  EXPECT_EQ(aclrtMemcpyAsync(host, 64, setup.device, 64, ACL_MEMCPY_HOST_TO_DEVICE, setup.stream),
            107000);
  EXPECT_MESSAGE("dst");
  EXPECT_EQ(aclrtMemcpyAsync(setup.device, 64, host, 64, ACL_MEMCPY_DEVICE_TO_HOST, setup.stream),
            107000);
  EXPECT_MESSAGE("src");
  EXPECT_EQ(aclrtMemcpyAsync(setup.device, 64, host, 64, aclrtMemcpyKind(9), setup.stream), 100000);
  EXPECT_EQ(aclrtMemcpyAsync(setup.device, 32, host, 64, ACL_MEMCPY_DEFAULT, setup.stream), 107000);
  EXPECT_EQ(aclrtMemcpyAsyncWithCondition(nullptr, 32, host, 32, ACL_MEMCPY_DEFAULT, setup.stream),
            100000);
}

CASE(memory_freed_before_the_stream_reaches_it_is_reported) {
  Setup setup;
  aclrtEvent gate = nullptr;
  aclrtStream opener = nullptr;
  EXPECT_OK(aclrtCreateStream(&opener));
  EXPECT_OK(aclrtCreateEventWithFlag(&gate, ACL_EVENT_SYNC));
  EXPECT_OK(aclrtStreamWaitEvent(setup.stream, gate));
  void* gone = nullptr;
  EXPECT_OK(aclrtMalloc(&gone, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(
      aclrtMemcpyAsync(gone, 64, setup.device, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, setup.stream));
  EXPECT_OK(aclrtFree(gone));
  // The address is in use again, by a block the copy was not meant for.
  void* other = nullptr;
  EXPECT_OK(aclrtMalloc(&other, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_EQ(other, gone);
  EXPECT_OK(aclrtRecordEvent(gate, opener));
  EXPECT_EQ(aclrtSynchronizeStream(setup.stream), 507015);
  EXPECT_MESSAGE("aclrtMemcpyAsync, queued on stream");
  EXPECT_OK(aclrtSynchronizeStream(setup.stream));
  EXPECT_OK(aclrtFree(other));
  EXPECT_OK(aclrtDestroyEvent(gate));
  EXPECT_OK(aclrtDestroyStream(opener));
}

CASE(rows_are_copied_with_their_pitches) {
  Setup setup;
  Bytes data = counting(6 * 4), back(3 * 4);
  EXPECT_OK(aclrtMemset(setup.device, 256, 0, 256));
  EXPECT_OK(aclrtMemcpy2d(setup.device, 8, data.data(), 6, 3, 4, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtMemcpy2d(back.data(), 3, setup.device, 8, 3, 4, ACL_MEMCPY_DEVICE_TO_HOST));
  for (size_t row = 0; row < 4; ++row)
    for (size_t column = 0; column < 3; ++column)
      EXPECT_EQ(int(back[row * 3 + column]), int(data[row * 6 + column]));
  EXPECT_EQ(int(setup.read(8)[3]), 0);
}

CASE(rows_are_copied_in_the_stream) {
  Setup setup;
  Bytes data = counting(6 * 4);
  std::copy(data.begin(), data.end(), setup.pinned);
  EXPECT_OK(aclrtMemcpy2dAsync(setup.device, 3, setup.pinned, 6, 3, 4, ACL_MEMCPY_HOST_TO_DEVICE,
                               setup.stream));
  EXPECT_OK(aclrtMemcpy2dAsync(setup.device + 64, 3, setup.device, 3, 3, 4,
                               ACL_MEMCPY_DEVICE_TO_DEVICE, setup.stream));
  EXPECT_OK(aclrtSynchronizeStream(setup.stream));
  EXPECT_EQ(int(setup.read(76)[64 + 11]), int(data[3 * 6 + 2]));
}

CASE(row_copies_are_checked) {
  Setup setup;
  unsigned char host[64] = {};
  EXPECT_EQ(aclrtMemcpy2d(nullptr, 8, host, 8, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE), 100000);
  EXPECT_EQ(aclrtMemcpy2d(setup.device, 8, nullptr, 8, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE), 100000);
  EXPECT_EQ(aclrtMemcpy2d(setup.device, 4, host, 8, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE), 100000);
  EXPECT_EQ(aclrtMemcpy2d(setup.device, 8, host, 4, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE), 100000);
  EXPECT_EQ(aclrtMemcpy2d(setup.device, 8, host, 8, 8, 2, ACL_MEMCPY_HOST_TO_HOST), 100000);
  EXPECT_EQ(aclrtMemcpy2d(setup.device, 8, host, 8, 8, 2, ACL_MEMCPY_DEVICE_TO_DEVICE), 100000);
  EXPECT_EQ(aclrtMemcpy2d(setup.device, 100, host, 8, 8, 4, ACL_MEMCPY_HOST_TO_DEVICE), 107000);
  EXPECT_EQ(aclrtMemcpy2d(setup.device, SIZE_MAX / 2, host, 8, 8, 9, ACL_MEMCPY_HOST_TO_DEVICE),
            107000);
  EXPECT_EQ(
      aclrtMemcpy2dAsync(setup.device, 4, host, 8, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE, setup.stream),
      100000);
  EXPECT_EQ(
      aclrtMemcpy2dAsync(setup.device, 8, host, 8, 8, 2, ACL_MEMCPY_HOST_TO_HOST, setup.stream),
      100000);
}

CASE(fills_take_the_low_byte) {
  Setup setup;
  EXPECT_OK(aclrtMemset(setup.device, 256, 0x1234, 256));
  EXPECT_EQ(int(setup.read(256)[255]), 0x34);
  EXPECT_OK(aclrtMemsetAsync(setup.device, 256, 0x56, 128, setup.stream));
  EXPECT_OK(aclrtSynchronizeStream(setup.stream));
  EXPECT_EQ(int(setup.read(256)[127]), 0x56);
  EXPECT_EQ(int(setup.read(256)[128]), 0x34);
}

CASE(fills_are_checked) {
  Setup setup;
  unsigned char host[64] = {};
  EXPECT_EQ(aclrtMemset(nullptr, 8, 0, 8), 100000);
  EXPECT_EQ(aclrtMemset(setup.device, 7, 0, 8), 107000);
  EXPECT_EQ(aclrtMemset(setup.device, 4096, 0, 4096), 107000);
  EXPECT_EQ(aclrtMemsetAsync(nullptr, 8, 0, 8, setup.stream), 100000);
  EXPECT_EQ(aclrtMemsetAsync(setup.device, 7, 0, 8, setup.stream), 107000);
  EXPECT_EQ(aclrtMemsetAsync(host, 64, 0, 64, setup.stream), 107000);
  EXPECT_MESSAGE("device memory is needed");
}

CASE(copies_need_a_context) {
  unsigned char a[8] = {}, b[8] = {};
  EXPECT_EQ(aclrtMemcpy(a, 8, b, 8, ACL_MEMCPY_DEFAULT), 107002);
  EXPECT_EQ(aclrtMemcpyAsync(a, 8, b, 8, ACL_MEMCPY_DEFAULT, nullptr), 107002);
  EXPECT_EQ(aclrtMemset(a, 8, 0, 8), 107002);
}
