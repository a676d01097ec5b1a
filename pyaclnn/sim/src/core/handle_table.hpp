// Opaque handles: what the C caller holds is never an address, so a stale, foreign or made-up
// handle is recognised instead of dereferenced.
//
// A handle is 0x5A | type (4 bits) | generation (28 bits) | slot (24 bits): non-canonical, so code
// that dereferences one crashes at once, as it would find no aclTensor layout to rely on in CANN.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/export.hpp"
#include "core/status.hpp"

namespace pyaclnn::sim {

enum class HandleType : unsigned {
  kOperatorAttributes,
  kContext,
  kStream,
  kEvent,
  kTensor,
  kScalar,
  kIntArray,
  kFloatArray,
  kBoolArray,
  kTensorList,
  kScalarList,
  kExecutor,
  kDataBuffer,
  kGraph,
  kTensorDesc,
  kPhysicalMemory,
};

/// "aclTensor", "aclrtStream", ... as messages call it.
SIM_API const char* handle_type_name(HandleType type);

/// Live handles of each type, over all tables.
SIM_API std::atomic<std::uint64_t>& live_handles(HandleType type);

namespace detail {
struct HandleBits {
  static constexpr std::uint64_t kMark = 0x5A;
  static std::uint64_t pack(HandleType type, std::uint32_t generation, std::uint32_t slot) {
    return kMark << 56 | std::uint64_t(type) << 52 | std::uint64_t(generation & 0xFFFFFFFu) << 24 |
           (slot & 0xFFFFFFu);
  }
  static bool marked(std::uint64_t bits) { return bits >> 56 == kMark; }
  static HandleType type(std::uint64_t bits) { return HandleType(bits >> 52 & 0xF); }
  static std::uint32_t generation(std::uint64_t bits) { return bits >> 24 & 0xFFFFFFF; }
  static std::uint32_t slot(std::uint64_t bits) { return bits & 0xFFFFFF; }
};

/// Says what is wrong with a handle that did not resolve, and throws Failure(code).
[[noreturn]] SIM_API void refuse_handle(const void* handle, HandleType expected, int code);
}  // namespace detail

/// Table of the live objects of one type. Slots are kept for ever and reused with a new generation.
template <class T>
class HandleTable {
 public:
  explicit HandleTable(HandleType type) : type_(type) {}
  HandleTable(const HandleTable&) = delete;
  HandleTable& operator=(const HandleTable&) = delete;
  ~HandleTable() {
    for (auto& chunk : chunks_) delete[] chunk.load(std::memory_order_relaxed);
  }

  void* insert(std::shared_ptr<T> object) {
    std::uint32_t index = take_slot();
    Slot& slot = at(index);
    std::uint32_t generation;
    {
      Lock lock(slot);
      slot.object = std::move(object);
      generation = ++slot.generation & 0xFFFFFFFu;
      slot.live = true;
    }
    live_handles(type_).fetch_add(1, std::memory_order_relaxed);
    return reinterpret_cast<void*>(detail::HandleBits::pack(type_, generation, index));
  }

  /// The object behind a handle, or an empty pointer.
  std::shared_ptr<T> find(const void* handle) const {
    Slot* slot = slot_of(handle);
    if (slot == nullptr) return {};
    Lock lock(*slot);
    return current(*slot, handle) ? slot->object : std::shared_ptr<T>();
  }

  /// The object behind a handle; Failure(code) for an unknown, stale or wrong-type one.
  std::shared_ptr<T> get(const void* handle, int code) const {
    if (auto object = find(handle)) return object;
    detail::refuse_handle(handle, type_, code);
  }

  /// Ends a handle and hands over its object; Failure(code) as get().
  std::shared_ptr<T> remove(const void* handle, int code) {
    if (auto object = find_and_remove(handle, [](const T&) { return true; })) return object;
    detail::refuse_handle(handle, type_, code);
  }

  /// The object behind a handle, or an empty pointer; the handle ends if `goes(object)`.
  template <class Goes>
  std::shared_ptr<T> find_and_remove(const void* handle, Goes goes) {
    std::shared_ptr<T> object;
    {
      Slot* slot = slot_of(handle);
      if (slot == nullptr) return {};
      Lock lock(*slot);
      if (!current(*slot, handle)) return {};
      if (!goes(*slot->object)) return slot->object;
      object = std::move(slot->object);
      slot->object.reset();
      slot->live = false;
    }
    live_handles(type_).fetch_sub(1, std::memory_order_relaxed);
    std::lock_guard<std::mutex> guard(mutex_);
    free_.push_back(detail::HandleBits::slot(reinterpret_cast<std::uint64_t>(handle)));
    removals_.store(removals_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    return object;
  }

  /// How many handles have ended: while it stays, one that was found is live.
  std::uint64_t removals() const { return removals_.load(std::memory_order_acquire); }

  /// Every live object, for sweeps at finalize and reset.
  std::vector<std::pair<void*, std::shared_ptr<T>>> snapshot() const {
    std::vector<std::pair<void*, std::shared_ptr<T>>> all;
    std::uint32_t used;
    {
      std::lock_guard<std::mutex> guard(mutex_);
      used = used_;
    }
    for (std::uint32_t index = 0; index < used; ++index) {
      Slot& slot = at(index);
      Lock lock(slot);
      if (!slot.live) continue;
      all.emplace_back(reinterpret_cast<void*>(
                           detail::HandleBits::pack(type_, slot.generation & 0xFFFFFFFu, index)),
                       slot.object);
    }
    return all;
  }

 private:
  struct Slot {
    std::atomic_flag busy = ATOMIC_FLAG_INIT;
    bool live = false;
    std::uint32_t generation = 0;
    std::shared_ptr<T> object;
  };

  // A spin lock: held for a copy of a shared_ptr, and contended only by misuse or heavy sharing.
  class Lock {
   public:
    explicit Lock(Slot& slot) : slot_(slot) {
      while (slot_.busy.test_and_set(std::memory_order_acquire)) {
      }
    }
    ~Lock() { slot_.busy.clear(std::memory_order_release); }

   private:
    Slot& slot_;
  };

  static constexpr std::uint32_t kChunk = 1024;
  static constexpr std::uint32_t kChunks = (1u << 24) / kChunk;

  Slot& at(std::uint32_t index) const {
    return chunks_[index / kChunk].load(std::memory_order_acquire)[index % kChunk];
  }

  Slot* slot_of(const void* handle) const {
    auto bits = reinterpret_cast<std::uint64_t>(handle);
    if (!detail::HandleBits::marked(bits) || detail::HandleBits::type(bits) != type_)
      return nullptr;
    std::uint32_t index = detail::HandleBits::slot(bits);
    Slot* chunk = chunks_[index / kChunk].load(std::memory_order_acquire);
    return chunk == nullptr ? nullptr : chunk + index % kChunk;
  }

  static bool current(const Slot& slot, const void* handle) {
    return slot.live && (slot.generation & 0xFFFFFFFu) ==
                            detail::HandleBits::generation(reinterpret_cast<std::uint64_t>(handle));
  }

  std::uint32_t take_slot() {
    std::lock_guard<std::mutex> guard(mutex_);
    if (!free_.empty()) {
      std::uint32_t index = free_.back();
      free_.pop_back();
      return index;
    }
    if (used_ == kChunk * kChunks) fail(200000, "more than %u live handles", kChunk * kChunks);
    auto& chunk = chunks_[used_ / kChunk];
    if (chunk.load(std::memory_order_relaxed) == nullptr)
      chunk.store(new Slot[kChunk], std::memory_order_release);
    return used_++;
  }

  const HandleType type_;
  mutable std::mutex mutex_;
  mutable std::array<std::atomic<Slot*>, kChunks> chunks_{};
  std::vector<std::uint32_t> free_;
  std::atomic<std::uint64_t> removals_{0};
  std::uint32_t used_ = 0;
};

}  // namespace pyaclnn::sim
