// Pools of device memory that streams take from and give back to.
// SPDX-License-Identifier: MIT
#include <cstdint>

#include "acl/acl_rt.h"
#include "acl/acl_rt_memory_soma.h"
#include "check.hpp"

namespace {

aclrtMemPoolProps properties(size_t size) {
  aclrtMemPoolProps props = {};
  props.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
  props.maxSize = size;
  return props;
}

aclrtMemPool pool_of(size_t size) {
  EXPECT_OK(aclrtSetDevice(0));
  const aclrtMemPoolProps props = properties(size);
  aclrtMemPool pool = nullptr;
  EXPECT_OK(aclrtMemPoolCreate(&pool, &props));
  return pool;
}

uint64_t told(aclrtMemPool pool, aclrtMemPoolAttr attribute) {
  uint64_t value = ~uint64_t(0);
  EXPECT_OK(aclrtMemPoolGetAttr(pool, attribute, &value));
  return value;
}

aclrtStream new_stream() {
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStream(&stream));
  return stream;
}

}  // namespace

CASE(a_stream_takes_from_a_pool_and_gives_back) {
  aclrtMemPool pool = pool_of(size_t(3) << 20);
  aclrtStream stream = new_stream();
  void* block = nullptr;
  EXPECT_OK(aclrtMemPoolMallocAsync(&block, 1000, pool, stream));
  EXPECT_EQ(told(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT), 1024u);
  EXPECT_OK(aclrtMemsetAsync(block, 1000, 7, 1000, stream));
  unsigned char back[1000] = {};
  EXPECT_OK(aclrtMemcpyAsync(back, 1000, block, 1000, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  EXPECT_OK(aclrtMemPoolFreeAsync(block, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(int(back[999]), 7);
  EXPECT_EQ(told(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT), 0u);
  EXPECT_EQ(told(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH), 1024u);
  EXPECT_EQ(aclrtMemPoolFreeAsync(block, stream), 107000);
  EXPECT_OK(aclrtMemPoolDestroy(pool));
  EXPECT_EQ(aclrtMemPoolDestroy(pool), 107000);
}

CASE(a_pool_has_no_more_than_its_size) {
  aclrtMemPool pool = pool_of(size_t(2) << 20);
  aclrtStream stream = new_stream();
  void *block = nullptr, *other = nullptr;
  EXPECT_OK(aclrtMemPoolMallocAsync(&block, size_t(1) << 20, pool, stream));
  EXPECT_EQ(aclrtMemPoolMallocAsync(&other, (size_t(1) << 20) + 1, pool, stream), 207001);
  EXPECT_EQ(aclrtMemPoolMallocAsync(&other, ~size_t(0), pool, stream), 207001);
  EXPECT_OK(aclrtMemPoolMallocAsync(&other, 0, pool, stream));
  EXPECT(other == nullptr);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), 507000);
  EXPECT_EQ(aclrtMemPoolTrimTo(pool, 0), 507000);
  EXPECT_OK(aclrtMemPoolFreeAsync(block, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(told(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT), uint64_t(1) << 20);
  EXPECT_OK(aclrtMemPoolTrimTo(pool, 0));
  EXPECT_EQ(told(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT), 0u);
}

CASE(a_pool_gives_back_memory_of_others) {
  aclrtMemPool pool = pool_of(0);
  aclrtStream stream = new_stream();
  void* block = nullptr;
  EXPECT_OK(aclrtMalloc(&block, 100, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtMemPoolFreeAsync(block, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(pyaclnnSimCount("device_block"), 0u);
  EXPECT_OK(aclrtMemPoolDestroy(pool));
}

CASE(properties_of_a_pool_are_checked) {
  EXPECT_OK(aclrtSetDevice(0));
  aclrtMemPool pool = nullptr;
  aclrtMemPoolProps props = properties(1);
  EXPECT_EQ(aclrtMemPoolCreate(nullptr, &props), 100000);
  EXPECT_EQ(aclrtMemPoolCreate(&pool, nullptr), 100000);
  props.location.type = ACL_MEM_LOCATION_TYPE_HOST;
  EXPECT_EQ(aclrtMemPoolCreate(&pool, &props), 100000);
  props = properties(1);
  props.reserved[31] = 1;
  EXPECT_EQ(aclrtMemPoolCreate(&pool, &props), 100000);
  props = properties(~size_t(0));
  EXPECT_EQ(aclrtMemPoolCreate(&pool, &props), 207001);
  props = properties(1);
  props.location.id = 99;
  EXPECT_EQ(aclrtMemPoolCreate(&pool, &props), 107001);
}

CASE(attributes_of_a_pool_are_kept) {
  aclrtMemPool pool = pool_of(1);
  uint64_t value = 4096;
  EXPECT_OK(aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, &value));
  EXPECT_EQ(told(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD), 4096u);
  EXPECT_EQ(aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT, &value), 507000);
  EXPECT_EQ(aclrtMemPoolSetAttr(pool, aclrtMemPoolAttr(99), &value), 107000);
  EXPECT_EQ(aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, nullptr), 107000);
  EXPECT_EQ(aclrtMemPoolGetAttr(&value, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, &value), 107000);
}
