// Words that streams wait for, copies in batches, and memory of the program's own that is
// page-locked.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <vector>

#include "acl/acl_rt.h"
#include "check.hpp"

namespace {

constexpr uint32_t kGreaterOrEqual = 0, kEqual = 1, kAnd = 2, kNor = 3;

uint64_t* device_words(size_t count) {
  EXPECT_OK(aclrtSetDevice(0));
  void* words = nullptr;
  EXPECT_OK(aclrtMalloc(&words, count * 8, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtMemset(words, count * 8, 0, count * 8));
  return static_cast<uint64_t*>(words);
}

aclrtStream new_stream() {
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStream(&stream));
  return stream;
}

uint64_t read(const uint64_t* word) {
  uint64_t value = 0;
  EXPECT_OK(aclrtMemcpy(&value, 8, word, 8, ACL_MEMCPY_DEVICE_TO_HOST));
  return value;
}

aclrtMemLocation at(aclrtMemLocationType type) { return {0, type}; }

}  // namespace

CASE(a_stream_waits_until_another_writes) {
  uint64_t* words = device_words(2);
  aclrtStream waits = new_stream(), writes = new_stream();
  EXPECT_OK(aclrtValueWait(words, 5, kEqual, waits));
  EXPECT_OK(aclrtValueWrite(words + 1, 77, 0, waits));
  aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
  EXPECT_OK(aclrtStreamQuery(waits, &status));
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  EXPECT_EQ(read(words + 1), 0u);
  EXPECT_OK(aclrtValueWrite(words, 5, 0, writes));
  EXPECT_OK(aclrtSynchronizeStream(waits));
  EXPECT_EQ(read(words + 1), 77u);
}

CASE(a_stream_sees_what_the_host_copies) {
  uint64_t* words = device_words(1);
  aclrtStream stream = new_stream();
  EXPECT_OK(aclrtValueWait(words, 3, kGreaterOrEqual, stream));
  uint64_t value = 4;
  EXPECT_OK(aclrtMemcpy(words, 8, &value, 8, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

CASE(every_condition_holds_at_once_where_it_holds) {
  uint64_t* words = device_words(1);
  EXPECT_OK(aclrtValueWrite(words, 6, 0, nullptr));
  EXPECT_OK(aclrtValueWait(words, 6, kEqual, nullptr));
  EXPECT_OK(aclrtValueWait(words, 5, kGreaterOrEqual, nullptr));
  EXPECT_OK(aclrtValueWait(words, 2, kAnd, nullptr));
  EXPECT_OK(aclrtValueWait(words, 1, kNor, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

CASE(a_wait_that_nobody_ends_is_given_up_at_the_end) {
  uint64_t* words = device_words(1);
  aclrtStream stream = new_stream();
  EXPECT_OK(aclrtValueWait(words, 1, kEqual, stream));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 50), 507046);
  EXPECT_OK(aclrtResetDeviceForce(0));
}

CASE(words_are_checked) {
  uint64_t* words = device_words(1);
  uint64_t host = 0;
  auto bytes = reinterpret_cast<char*>(words);
  EXPECT_EQ(aclrtValueWrite(nullptr, 1, 0, nullptr), 100000);
  EXPECT_EQ(aclrtValueWait(nullptr, 1, kEqual, nullptr), 100000);
  EXPECT_EQ(aclrtValueWrite(words, 1, 1, nullptr), 107000);
  EXPECT_EQ(aclrtValueWait(words, 1, 4, nullptr), 107000);
  EXPECT_EQ(aclrtValueWrite(&host, 1, 0, nullptr), 107000);
  EXPECT_MESSAGE("device memory is needed");
  EXPECT_EQ(aclrtValueWait(&host, 1, kEqual, nullptr), 107000);
  EXPECT_EQ(aclrtValueWrite(bytes + 4, 1, 0, nullptr), 107000);
  EXPECT_MESSAGE("multiple of 8");
}

CASE(a_batch_copies_both_ways) {
  uint64_t* words = device_words(4);
  uint64_t sent[2] = {10, 20}, got[2] = {0, 0};
  EXPECT_OK(aclrtMemcpy(words + 2, 8, sent, 8, ACL_MEMCPY_HOST_TO_DEVICE));
  void* dsts[] = {words, words + 1, got};
  void* srcs[] = {sent, sent + 1, words + 2};
  size_t sizes[] = {8, 8, 8};
  aclrtMemcpyBatchAttr attrs[2] = {};
  attrs[0].dstLoc = attrs[1].srcLoc = at(ACL_MEM_LOCATION_TYPE_DEVICE);
  attrs[0].srcLoc = attrs[1].dstLoc = at(ACL_MEM_LOCATION_TYPE_HOST);
  size_t indexes[] = {0, 2};
  size_t failed = 0;
  EXPECT_OK(aclrtMemcpyBatch(dsts, sizes, srcs, sizes, 3, attrs, indexes, 2, &failed));
  EXPECT_EQ(failed, SIZE_MAX);
  EXPECT_EQ(read(words), 10u);
  EXPECT_EQ(read(words + 1), 20u);
  EXPECT_EQ(got[0], 10u);
  sent[0] = 30;
  aclrtStream stream = new_stream();
  EXPECT_OK(aclrtMemcpyBatchAsync(dsts, sizes, srcs, sizes, 3, attrs, indexes, 2, &failed, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(read(words), 30u);
}

CASE(a_batch_names_the_copy_that_failed) {
  uint64_t* words = device_words(4);
  uint64_t host[2] = {1, 2};
  void* dsts[] = {words, words + 1};
  void* srcs[] = {host, words + 2};
  size_t sizes[] = {8, 8};
  size_t small[] = {8, 4};
  aclrtMemcpyBatchAttr attr = {};
  attr.dstLoc = at(ACL_MEM_LOCATION_TYPE_DEVICE);
  attr.srcLoc = at(ACL_MEM_LOCATION_TYPE_HOST);
  size_t index = 0, late = 1, failed = 0;
  EXPECT_EQ(aclrtMemcpyBatch(dsts, sizes, srcs, sizes, 2, &attr, &index, 1, &failed), 107000);
  EXPECT_EQ(failed, 1u);
  EXPECT_MESSAGE("its attribute says");
  EXPECT_EQ(read(words), 1u);
  EXPECT_EQ(aclrtMemcpyBatch(dsts, small, srcs, sizes, 2, &attr, &index, 1, &failed), 100000);
  EXPECT_EQ(aclrtMemcpyBatch(dsts, sizes, srcs, sizes, 0, &attr, &index, 1, &failed), 100000);
  EXPECT_EQ(aclrtMemcpyBatch(dsts, sizes, srcs, sizes, 2, &attr, &late, 1, &failed), 107000);
  EXPECT_EQ(aclrtMemcpyBatch(dsts, sizes, srcs, sizes, 2, &attr, &index, 0, &failed), 107000);
  EXPECT_EQ(aclrtMemcpyBatch(nullptr, sizes, srcs, sizes, 2, &attr, &index, 1, &failed), 100000);
  attr.rsv[3] = 1;
  EXPECT_EQ(aclrtMemcpyBatchAsync(dsts, sizes, srcs, sizes, 1, &attr, &index, 1, &failed, nullptr),
            100000);
}

CASE(caches_are_told_about_device_memory) {
  uint64_t* words = device_words(1);
  EXPECT_OK(aclrtCmoAsync(words, 8, ACL_RT_CMO_TYPE_PREFETCH, nullptr));
  EXPECT_EQ(aclrtCmoAsync(words, 0, ACL_RT_CMO_TYPE_PREFETCH, nullptr), 100000);
  EXPECT_EQ(aclrtCmoAsync(nullptr, 8, ACL_RT_CMO_TYPE_PREFETCH, nullptr), 100000);
  EXPECT_EQ(aclrtCmoAsync(words, 8, aclrtCmoType(9), nullptr), 107000);
  EXPECT_EQ(aclrtCmoAsync(words, 8192, ACL_RT_CMO_TYPE_FLUSH, nullptr), 107000);
}

CASE(registered_memory_is_copied_without_waiting) {
  uint64_t* words = device_words(2);
  std::vector<uint64_t> mine(2, 9);
  EXPECT_OK(aclrtHostRegisterV2(mine.data(), 16, ACL_HOST_REG_PINNED));
  aclrtStream stream = new_stream();
  EXPECT_OK(aclrtValueWait(words, 1, kEqual, stream));
  EXPECT_OK(aclrtMemcpyAsync(words + 1, 8, mine.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  EXPECT_OK(aclrtValueWrite(words, 1, 0, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(read(words + 1), 9u);
  aclrtPtrAttributes attributes = {};
  EXPECT_OK(aclrtPointerGetAttributes(mine.data(), &attributes));
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_HOST);
  EXPECT_EQ(aclrtHostRegisterV2(&mine[1], 8, ACL_HOST_REG_PINNED), 507910);
  EXPECT_EQ(aclrtFreeHost(mine.data()), 107000);
  EXPECT_MESSAGE("aclrtHostUnregister");
  EXPECT_OK(aclrtHostUnregister(mine.data()));
  EXPECT_EQ(aclrtHostUnregister(mine.data()), 507911);
  EXPECT_OK(aclrtPointerGetAttributes(mine.data(), &attributes));
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

CASE(registering_is_checked) {
  uint64_t mine = 0;
  void* device = nullptr;
  EXPECT_EQ(aclrtHostRegisterV2(&mine, 8, ACL_HOST_REG_PINNED), 107002);
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_EQ(aclrtHostRegisterV2(nullptr, 8, ACL_HOST_REG_PINNED), 100000);
  EXPECT_EQ(aclrtHostRegisterV2(&mine, 0, ACL_HOST_REG_PINNED), 100000);
  EXPECT_EQ(aclrtHostRegisterV2(&mine, 8, 0), 107000);
  EXPECT_EQ(aclrtHostRegisterV2(&mine, 8, ACL_HOST_REG_MAPPED), 107000);
  EXPECT_MESSAGE("not aligned to 4096 bytes");
  EXPECT_EQ(aclrtHostRegister(&mine, 8, ACL_HOST_REGISTER_MAPPED, &device), 107000);
  EXPECT_EQ(aclrtHostRegister(&mine, 8, ACL_HOST_REGISTER_READONLY, &device), 207000);
  EXPECT_EQ(aclrtHostRegister(&mine, 8, aclrtHostRegisterType(1), &device), 107000);
  EXPECT_EQ(aclrtHostGetDevicePointer(&mine, &device, 0), 507911);
  EXPECT_EQ(aclrtHostGetDevicePointer(nullptr, &device, 0), 100000);
  EXPECT_EQ(aclrtHostGetDevicePointer(&mine, nullptr, 0), 100000);
  EXPECT_EQ(aclrtHostGetDevicePointer(&mine, &device, 1), 107000);
  EXPECT_EQ(aclrtHostRegister(&mine, 8, ACL_HOST_REGISTER_MAPPED, nullptr), 100000);
  EXPECT_EQ(aclrtHostUnregister(nullptr), 100000);
}

CASE(work_of_a_device_is_abandoned) {
  uint64_t* words = device_words(2);
  aclrtStream stream = new_stream();
  EXPECT_OK(aclrtValueWrite(words, 1, 0, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtDeviceTaskAbort(0, 1000));
  EXPECT_OK(aclrtValueWrite(words + 1, 2, 0, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(read(words + 1), 2u);
  EXPECT_EQ(aclrtDeviceTaskAbort(99, 1000), 107001);
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 40u * 60u * 1000u), 107000);
}
