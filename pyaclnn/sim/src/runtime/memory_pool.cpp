// Pools of device memory that streams take from and give back to.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

#include "acl/acl_rt_memory_soma.h"
#include "core/config.hpp"
#include "core/context.hpp"
#include "core/live_objects.hpp"
#include "core/memory.hpp"
#include "core/stream.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

namespace {

constexpr size_t kSmallestBlock = 512;
constexpr size_t kStep = size_t(2) << 20;  // a pool's size is a multiple of it

/// One pool. Memory goes back to the device with each block; what is "reserved" is what CANN would
/// keep: the most that was used since the last trim.
struct Pool {
  std::mutex mutex;
  int device = 0;
  size_t size = 0;
  uint64_t flags[3] = {1, 1, 1};
  uint64_t threshold = 0;
  uint64_t used = 0, used_high = 0, reserved = 0, reserved_high = 0;

  void take(size_t bytes) {
    std::lock_guard<std::mutex> guard(mutex);
    if (bytes > size - used)
      sim::fail(sim::kRtOutOfMemory, "%zu bytes are asked for, the pool has %llu of %zu left",
                bytes, static_cast<unsigned long long>(size - used), size);
    used += bytes;
    used_high = std::max(used_high, used);
    reserved = std::max(reserved, used);
    reserved_high = std::max(reserved_high, reserved);
  }

  void give_back(size_t bytes) {
    std::lock_guard<std::mutex> guard(mutex);
    used -= bytes;
  }
};

/// All pools, and the blocks that are not freed.
struct Pools {
  sim::LiveObjects<Pool> live{"aclrtMemPool"};
  std::mutex mutex;
  struct Block {
    std::shared_ptr<Pool> pool;
    size_t bytes;
  };
  std::map<void*, Block> blocks;
};

Pools& pools() {
  static auto& all = *new Pools;
  return all;
}

std::shared_ptr<Pool> pool_of(const void* handle) {
  sim::require_not_null(handle, "memPool");
  return pools().live.get(handle, sim::kRtParamInvalid);
}

size_t rounded(size_t size, size_t step) { return size / step * step + (size % step ? step : 0); }

/// The size that a program asks for, 0 being all there is.
size_t pool_size(size_t asked) {
  const size_t total = sim::config().memory_bytes;
  if (asked == 0) return total / kStep * kStep;
  if (asked > total || rounded(asked, kStep) > total)
    sim::fail(sim::kRtOutOfMemory, "maxSize is %zu, the device has %zu bytes", asked, total);
  return rounded(asked, kStep);
}

/// The place of an attribute that a program may set, or of any where `reads`.
uint64_t* attribute(Pool& pool, aclrtMemPoolAttr name, bool reads) {
  switch (name) {
    case ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC:
    case ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
      return &pool.flags[int(name) - 1];
    case ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD:
      return &pool.threshold;
    case ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH:
      return &pool.reserved_high;
    case ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH:
      return &pool.used_high;
    case ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT:
    case ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT:
      if (!reads) sim::fail(sim::kRtInternalError, "attribute %d can only be read", int(name));
      return name == ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT ? &pool.used : &pool.reserved;
  }
  sim::fail(sim::kRtParamInvalid, "%d is no attribute of a pool", int(name));
}

}  // namespace

aclError aclrtMemPoolCreate(aclrtMemPool* memPool, const aclrtMemPoolProps* poolProps) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(memPool, "memPool");
    sim::require_not_null(poolProps, "poolProps");
    if (poolProps->allocType != ACL_MEM_ALLOCATION_TYPE_PINNED)
      sim::fail(sim::kInvalidParam, "allocType is %d, it must be 0", int(poolProps->allocType));
    if (poolProps->location.type != ACL_MEM_LOCATION_TYPE_DEVICE)
      sim::fail(sim::kInvalidParam, "location.type is %d, it must be 1: a device",
                int(poolProps->location.type));
    for (unsigned char byte : poolProps->reserved)
      if (byte != 0) sim::fail(sim::kInvalidParam, "reserved is not all 0");
    sim::current_device();
    sim::require_device(int(poolProps->location.id));
    auto pool = std::make_shared<Pool>();
    pool->device = int(poolProps->location.id);
    pool->size = pool_size(poolProps->maxSize);
    *memPool = pools().live.add(std::move(pool));
    return ACL_SUCCESS;
  });
}

aclError aclrtMemPoolDestroy(const aclrtMemPool memPool) {
  return sim::entry_of_release(__func__, [&] {
    const auto pool = pool_of(memPool);
    std::lock_guard<std::mutex> guard(pool->mutex);
    if (pool->used != 0)
      sim::fail(sim::kRtInternalError, "%llu bytes of the pool are in use",
                static_cast<unsigned long long>(pool->used));
    pools().live.remove(memPool, sim::kRtParamInvalid);
    return ACL_SUCCESS;
  });
}

aclError aclrtMemPoolSetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void* value) {
  return sim::entry_of_release(__func__, [&] {
    const auto pool = pool_of(memPool);
    if (value == nullptr) sim::fail(sim::kRtParamInvalid, "value is null");
    std::lock_guard<std::mutex> guard(pool->mutex);
    std::memcpy(attribute(*pool, attr, false), value, sizeof(uint64_t));
    return ACL_SUCCESS;
  });
}

aclError aclrtMemPoolGetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void* value) {
  return sim::entry_of_release(__func__, [&] {
    const auto pool = pool_of(memPool);
    if (value == nullptr) sim::fail(sim::kRtParamInvalid, "value is null");
    std::lock_guard<std::mutex> guard(pool->mutex);
    std::memcpy(value, attribute(*pool, attr, true), sizeof(uint64_t));
    return ACL_SUCCESS;
  });
}

aclError aclrtMemPoolMallocAsync(void** ptr, size_t size, aclrtMemPool memPool,
                                 aclrtStream stream) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(ptr, "ptr");
    const auto pool = pool_of(memPool);
    sim::require_not_null(stream, "stream");
    if (size == 0) return ACL_SUCCESS;
    sim::resolve_stream(stream);
    if (size > pool->size) sim::fail(sim::kRtOutOfMemory, "the pool has %zu bytes", pool->size);
    const size_t bytes = rounded(size, kSmallestBlock);
    pool->take(bytes);
    try {
      void* const block = sim::allocate_device(pool->device, size, bytes);
      std::lock_guard<std::mutex> guard(pools().mutex);
      pools().blocks[block] = {pool, bytes};
      *ptr = block;
    } catch (...) {
      pool->give_back(bytes);
      throw;
    }
    return ACL_SUCCESS;
  });
}

aclError aclrtMemPoolFreeAsync(void* ptr, aclrtStream stream) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(ptr, "ptr");
    const auto target = sim::resolve_stream(stream);
    const sim::Allocation found = sim::find_allocation(ptr);
    if (!found || found.device < 0 || found.base != reinterpret_cast<std::uintptr_t>(ptr))
      sim::fail(sim::kRtParamInvalid, "%p is not the start of a live block", ptr);
    Pools::Block block{};
    {
      std::lock_guard<std::mutex> guard(pools().mutex);
      const auto known = pools().blocks.find(ptr);
      if (known != pools().blocks.end()) {
        block = known->second;
        pools().blocks.erase(known);
      }
    }
    sim::Task task;
    task.name = "aclrtMemPoolFreeAsync";
    task.run = [ptr, block] {
      sim::free_device(ptr, "aclrtMemPoolFreeAsync");
      if (block.pool != nullptr) block.pool->give_back(block.bytes);
      return int(ACL_SUCCESS);
    };
    sim::submit(*target, std::move(task));
    return ACL_SUCCESS;
  });
}

aclError aclrtMemPoolTrimTo(aclrtMemPool memPool, size_t minBytesToKeep) {
  return sim::entry_of_release(__func__, [&] {
    const auto pool = pool_of(memPool);
    std::lock_guard<std::mutex> guard(pool->mutex);
    if (minBytesToKeep > pool->size || minBytesToKeep < pool->used)
      sim::fail(sim::kRtInternalError, "minBytesToKeep is %zu, the pool has %zu and uses %llu",
                minBytesToKeep, pool->size, static_cast<unsigned long long>(pool->used));
    pool->reserved = std::min<uint64_t>(pool->reserved, minBytesToKeep);
    return ACL_SUCCESS;
  });
}
