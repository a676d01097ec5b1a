// Words in device memory that streams write, and wait for.
// SPDX-License-Identifier: MIT
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

#include "acl/acl_rt.h"
#include "check/pointer.hpp"
#include "check/word_races.hpp"
#include "core/config.hpp"
#include "core/context.hpp"
#include "core/memory.hpp"
#include "core/stream_impl.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

namespace {

enum Condition : uint32_t { kGreaterOrEqual, kEqual, kAnd, kNor, kConditions };

/// Wakes who waits for a word; words that copies and kernels write are looked at now and then.
struct Writes {
  std::mutex mutex;
  std::condition_variable changed;
};

Writes& writes() {
  static Writes& writes = *new Writes;
  return writes;
}

/// A word as programs on both sides see it.
std::atomic<uint64_t>& word(const void* address) {
  static_assert(sizeof(std::atomic<uint64_t>) == sizeof(uint64_t));
  return *static_cast<std::atomic<uint64_t>*>(sim::kernel_address(address));
}

bool holds(uint64_t found, uint64_t value, uint32_t condition) {
  switch (condition) {
    case kGreaterOrEqual:
      return int64_t(found - value) >= 0;
    case kEqual:
      return found == value;
    case kAnd:
      return (found & value) != 0;
    default:
      return ~(found | value) != 0;
  }
}

void require_chip() {
  if (sim::chip().soc == sim::Soc::kAscend910 || sim::chip().soc == sim::Soc::kAscend310P)
    sim::fail(sim::kRtNotSupported, "%s cannot wait for words in memory", sim::chip().name);
}

/// Checks a word; gives what keeps it while tasks are queued.
sim::MemoryUse check_word(void* address) {
  if (reinterpret_cast<uintptr_t>(address) % sizeof(uint64_t) != 0)
    sim::fail(sim::kRtParamInvalid, "devAddr %p is not a multiple of 8", address);
  sim::Allocation block =
      sim::require_device_range(address, sizeof(uint64_t), "devAddr", sim::kRtParamInvalid);
  return {address, sizeof(uint64_t), block.id};
}

}  // namespace

aclError aclrtValueWrite(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(devAddr, "devAddr");
    require_chip();
    if (flag != 0) sim::fail(sim::kRtParamInvalid, "flag is reserved and must be 0, not %u", flag);
    sim::Task task;
    task.name = "aclrtValueWrite";
    task.uses.push_back(check_word(devAddr));
    task.run = [devAddr, value] {
      {
        std::lock_guard<std::mutex> guard(writes().mutex);
        word(devAddr).store(value);
      }
      writes().changed.notify_all();
      return 0;
    };
    auto queue = sim::resolve_stream(stream);
    queue->submit(std::move(task));
    if (sim::races::enabled() && !queue->is_captured())
      sim::races::word_written(*queue, devAddr, value);
    return ACL_SUCCESS;
  });
}

aclError aclrtValueWait(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(devAddr, "devAddr");
    require_chip();
    if (flag >= kConditions) sim::fail(sim::kRtParamInvalid, "flag is %u, not 0 to 3", flag);
    sim::Task task;
    task.name = "aclrtValueWait";
    task.uses.push_back(check_word(devAddr));
    task.run = [devAddr, value, flag] {
      std::unique_lock<std::mutex> lock(writes().mutex);
      sim::Stream::running().wait_inside_task(
          lock, writes().changed, sim::Clock::time_point::max(),
          [&] { return holds(word(devAddr).load(), value, flag); });
      return 0;
    };
    auto queue = sim::resolve_stream(stream);
    queue->submit(std::move(task));
    if (sim::races::enabled() && !queue->is_captured())
      sim::races::word_awaited(*queue, devAddr,
                               [value, flag](uint64_t found) { return holds(found, value, flag); });
    return ACL_SUCCESS;
  });
}
