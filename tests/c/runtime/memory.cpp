// Allocation, and what is known about addresses; started with 256 MiB of device memory.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <vector>

#include "acl/acl_rt.h"
#include "check.hpp"

namespace {

constexpr size_t kMemory = size_t(256) << 20;

void ready() { EXPECT_OK(aclrtSetDevice(0)); }

void* device_block(size_t size) {
  void* block = nullptr;
  EXPECT_OK(aclrtMalloc(&block, size, ACL_MEM_MALLOC_HUGE_FIRST));
  return block;
}

size_t free_bytes() {
  size_t free = 0, total = 0;
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
  EXPECT_EQ(total, kMemory);
  return free;
}

}  // namespace

CASE(blocks_are_aligned_and_counted) {
  ready();
  void* block = device_block(100);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 64, 0u);
  EXPECT_EQ(pyaclnnSimCount("device_block"), 1u);
  EXPECT_EQ(pyaclnnSimCount("device_bytes"), 100u);
  EXPECT_OK(aclrtFree(block));
  EXPECT_EQ(pyaclnnSimCount("device_block"), 0u);
  EXPECT_EQ(pyaclnnSimCount("device_bytes"), 0u);
}

CASE(every_way_to_allocate_works) {
  ready();
  void* block = nullptr;
  aclrtMallocConfig none = {nullptr, 0};
  EXPECT_OK(aclrtMallocAlign32(&block, 32, ACL_MEM_MALLOC_NORMAL_ONLY));
  EXPECT_OK(aclrtFree(block));
  EXPECT_OK(aclrtMallocCached(&block, 32, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtFree(block));
  EXPECT_OK(aclrtMallocWithCfg(&block, 32, ACL_MEM_MALLOC_HUGE_FIRST, &none));
  EXPECT_OK(aclrtFree(block));
  EXPECT_OK(aclrtMallocWithCfg(&block, 32, ACL_MEM_MALLOC_HUGE_FIRST, nullptr));
  EXPECT_OK(aclrtFreeWithDevSync(block));
  EXPECT_OK(aclrtMalloc(&block, 32, aclrtMemMallocPolicy(12345)));
  EXPECT_OK(aclrtFree(block));
  EXPECT_EQ(pyaclnnSimCount("total"), 0u);
}

CASE(allocation_is_checked) {
  void* block = nullptr;
  EXPECT_EQ(aclrtMalloc(&block, 32, ACL_MEM_MALLOC_HUGE_FIRST), 107002);
  ready();
  EXPECT_EQ(aclrtMalloc(nullptr, 32, ACL_MEM_MALLOC_HUGE_FIRST), 100000);
  EXPECT_EQ(aclrtMalloc(&block, 0, ACL_MEM_MALLOC_HUGE_FIRST), 100000);
  EXPECT_EQ(aclrtMalloc(&block, SIZE_MAX - 8, ACL_MEM_MALLOC_HUGE_FIRST), 100000);
  // What rounds up to 32, and no further: more than the device has.
  for (size_t below : {33u, 64u, 66u, 100u, 500u, 544u, 600u})
    EXPECT_EQ(aclrtMallocAlign32(&block, SIZE_MAX - below, ACL_MEM_MALLOC_HUGE_FIRST), 207001);
  for (size_t below : {65u, 66u, 100u, 500u, 544u, 600u})
    EXPECT_EQ(aclrtMalloc(&block, SIZE_MAX - below, ACL_MEM_MALLOC_HUGE_FIRST), 207001);
  EXPECT(block == nullptr);
  EXPECT_EQ(aclrtMallocAlign32(&block, 0, ACL_MEM_MALLOC_HUGE_FIRST), 100000);
  EXPECT_EQ(aclrtMallocAlign32(nullptr, 1, ACL_MEM_MALLOC_HUGE_FIRST), 100000);
  EXPECT_EQ(aclrtMallocCached(&block, 0, ACL_MEM_MALLOC_HUGE_FIRST), 100000);
  aclrtMallocConfig broken = {nullptr, 1};
  EXPECT_EQ(aclrtMallocWithCfg(&block, 32, ACL_MEM_MALLOC_HUGE_FIRST, &broken), 100000);
  EXPECT_EQ(aclrtMallocHostWithCfg(&block, 32, &broken), 100000);
}

CASE(too_much_is_out_of_memory_with_figures) {
  ready();
  void* block = nullptr;
  EXPECT_EQ(aclrtMalloc(&block, kMemory + 1, ACL_MEM_MALLOC_HUGE_FIRST), 207001);
  EXPECT_MESSAGE("268435456 bytes are free");
  void* fits = device_block(kMemory - 4096);
  EXPECT_EQ(aclrtMalloc(&block, 8192, ACL_MEM_MALLOC_HUGE_FIRST), 207001);
  EXPECT_OK(aclrtFree(fits));
}

CASE(freed_memory_is_joined_and_reused) {
  ready();
  size_t before = free_bytes();
  std::vector<void*> blocks;
  for (int i = 0; i < 200; ++i) blocks.push_back(device_block(1 << 20));
  EXPECT_EQ(free_bytes() + 200 * ((1 << 20) + 512), before);
  for (size_t i = 0; i < blocks.size(); i += 2) EXPECT_OK(aclrtFree(blocks[i]));
  for (size_t i = 1; i < blocks.size(); i += 2) EXPECT_OK(aclrtFree(blocks[i]));
  EXPECT_EQ(free_bytes(), before);
  void* whole = device_block(kMemory - 32);
  EXPECT_OK(aclrtFree(whole));
}

CASE(an_address_is_reused_with_its_old_content) {
  ready();
  void* block = device_block(4096);
  EXPECT_OK(aclrtMemset(block, 4096, 0x5A, 4096));
  EXPECT_OK(aclrtFree(block));
  EXPECT_EQ(device_block(4096), block);
  unsigned char back = 0;
  EXPECT_OK(aclrtMemcpy(&back, 1, block, 1, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(int(back), 0x5A);
  EXPECT_OK(aclrtFree(block));
}

CASE(wrong_pointers_are_not_freed) {
  ready();
  EXPECT_EQ(aclrtFree(nullptr), 100000);
  char* block = static_cast<char*>(device_block(1000));
  EXPECT_EQ(aclrtFree(block + 64), 107000);
  EXPECT_MESSAGE("inside the block");
  int local = 0;
  EXPECT_EQ(aclrtFree(&local), 107000);
  EXPECT_MESSAGE("host memory");
  EXPECT_OK(aclrtFree(block));
  EXPECT_EQ(aclrtFree(block), 107000);
  EXPECT_MESSAGE("freed already");
  EXPECT_EQ(aclrtFreeWithDevSync(nullptr), 100000);
  EXPECT_EQ(aclrtFreeWithDevSync(block), 107000);
}

CASE(free_works_after_the_context_is_gone) {
  ready();
  void* block = device_block(10);
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_OK(aclrtFree(block));
}

CASE(pinned_memory_is_host_memory) {
  ready();
  void* block = nullptr;
  EXPECT_OK(aclrtMallocHost(&block, 100));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 64, 0u);
  std::memset(block, 1, 100);
  EXPECT_EQ(pyaclnnSimCount("host_block"), 1u);
  EXPECT_EQ(pyaclnnSimCount("host_bytes"), 100u);
  EXPECT_OK(aclrtFreeHost(block));
  EXPECT_OK(aclrtMallocHostWithCfg(&block, 100, nullptr));
  EXPECT_OK(aclrtFreeHostWithDevSync(block));
  EXPECT_EQ(pyaclnnSimCount("total"), 0u);
}

CASE(no_pinned_block_is_as_large_as_the_address_space) {
  ready();
  void* block = nullptr;
  for (size_t below : {0u, 1u, 62u, 63u, 64u, 100u})
    EXPECT_EQ(aclrtMallocHost(&block, SIZE_MAX - below), 207001);
  EXPECT(block == nullptr);
  EXPECT_EQ(pyaclnnSimCount("host_block"), 0u);
}

CASE(pinned_memory_is_checked) {
  void* block = nullptr;
  EXPECT_EQ(aclrtMallocHost(&block, 1), 107002);
  ready();
  EXPECT_EQ(aclrtMallocHost(nullptr, 1), 100000);
  EXPECT_EQ(aclrtMallocHost(&block, 0), 100000);
  EXPECT_EQ(aclrtMallocHostWithCfg(nullptr, 1, nullptr), 100000);
  EXPECT_EQ(aclrtMallocHostWithCfg(&block, 0, nullptr), 100000);
  EXPECT_EQ(aclrtFreeHost(nullptr), 100000);
  EXPECT_EQ(aclrtFreeHostWithDevSync(nullptr), 100000);
  EXPECT_OK(aclrtMallocHost(&block, 64));
  EXPECT_EQ(aclrtFree(block), 107000);
  EXPECT_MESSAGE("pinned host memory");
  EXPECT_OK(aclrtFreeHost(block));
  EXPECT_EQ(aclrtFreeHost(block), 107000);
  EXPECT_EQ(aclrtFreeHostWithDevSync(block), 107000);
  void* on_device = device_block(64);
  EXPECT_EQ(aclrtFreeHost(on_device), 107000);
  EXPECT_MESSAGE("device memory");
  EXPECT_OK(aclrtFree(on_device));
}

CASE(memory_info_answers_for_the_memory_there_is) {
  size_t free = 1, total = 1;
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), 107002);
  ready();
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, nullptr, &total), 100000);
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, nullptr), 100000);
  EXPECT_EQ(aclrtGetMemInfo(aclrtMemAttr(99), &free, &total), 107000);
  EXPECT_OK(aclrtGetMemInfo(ACL_DDR_MEM, &free, &total));
  EXPECT_EQ(free + total, 0u);
  EXPECT_EQ(free_bytes(), kMemory);
}

CASE(addresses_tell_where_they_are) {
  ready();
  aclrtPtrAttributes attributes;
  char* block = static_cast<char*>(device_block(100));
  EXPECT_OK(aclrtPointerGetAttributes(block + 50, &attributes));
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(attributes.location.id, 0u);
  void* pinned = nullptr;
  EXPECT_OK(aclrtMallocHost(&pinned, 100));
  EXPECT_OK(aclrtPointerGetAttributes(pinned, &attributes));
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_HOST);
  EXPECT_OK(aclrtPointerGetAttributes(&attributes, &attributes));
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_EQ(aclrtPointerGetAttributes(nullptr, &attributes), 100000);
  EXPECT_EQ(aclrtPointerGetAttributes(block, nullptr), 100000);
  EXPECT_OK(aclrtFreeHost(pinned));
  EXPECT_OK(aclrtFree(block));
}

CASE(cache_calls_check_their_range) {
  ready();
  char* block = static_cast<char*>(device_block(64));
  EXPECT_OK(aclrtMemFlush(block, 64));
  EXPECT_OK(aclrtMemInvalidate(block, 64));
  EXPECT_EQ(aclrtMemFlush(nullptr, 64), 100000);
  EXPECT_EQ(aclrtMemFlush(block, 0), 100000);
  EXPECT_EQ(aclrtMemInvalidate(nullptr, 64), 100000);
  EXPECT_EQ(aclrtMemInvalidate(block, 4096), 107000);
  EXPECT_MESSAGE("4096 are needed");
  EXPECT_OK(aclrtFree(block));
}

CASE(memory_that_shrinks_gives_its_pages_back_and_reads_zero) {
  ready();
  constexpr size_t kMost = kMemory / 2;
  void* block = device_block(kMost);
  EXPECT_OK(aclrtMemset(block, kMost, 1, kMost));
  EXPECT_OK(aclrtFree(block));
  EXPECT_EQ(device_block(kMost), block);
  unsigned char back = 9;
  EXPECT_OK(
      aclrtMemcpy(&back, 1, static_cast<char*>(block) + kMost - 1, 1, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(int(back), 0);
  EXPECT_OK(aclrtFree(block));
}
