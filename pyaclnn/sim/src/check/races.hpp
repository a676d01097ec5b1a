// The search for missing synchronisation, as the runtime calls it. PYACLNN_SIM_CHECK=races.
//
// All but enabled() is for when that is true.
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <memory>

#include "check/access.hpp"
#include "core/config.hpp"
#include "core/export.hpp"

namespace pyaclnn::sim {

class Stream;
struct Collision;
struct Hazard;
struct Moment;
using MomentRef = std::shared_ptr<Moment>;

namespace races {

namespace detail {
constexpr int kAsConfigured = -1;      // the configuration was not looked at yet
SIM_API extern std::atomic<int> mode;  // kAsConfigured or a RaceCheck
SIM_API bool is_configured();
}  // namespace detail

inline bool enabled() {
  const int mode = detail::mode.load(std::memory_order_relaxed);
  return __builtin_expect(mode != int(RaceCheck::kOff), 0) &&
         (mode != detail::kAsConfigured || detail::is_configured());
}

SIM_API RaceCheck mode();
/// Switching the search off forgets what was submitted, not what was found.
SIM_API void set_mode(RaceCheck mode);

/// An access as a function of the runtime describes it.
struct NamedAccess {
  AccessMode mode;
  const char* operand;
  const void* pointer;
  std::uint64_t allocation;  // 0: memory that is not ours, which is left out
  BytePattern bytes;
};

SIM_API AccessList access_list(const char* operation, std::initializer_list<NamedAccess> accesses);

/// Work that is submitted to a stream, in the order of the stream.
SIM_API void submitted(Stream& stream, std::shared_ptr<const AccessList> accesses);

/// The present end of a stream. `promised` is what wait_for_next() gave, or null.
SIM_API MomentRef mark(Stream& stream, MomentRef promised = nullptr);
/// Lets what is submitted to a stream from now on come after a moment; null is none.
SIM_API void wait(Stream& stream, const MomentRef& moment);
/// The same for a moment nobody has marked yet. Gives `promised`, or a new one in its place.
SIM_API MomentRef wait_for_next(Stream& stream, MomentRef promised);
/// Nobody will mark what wait_for_next() gave.
SIM_API void break_promise(const MomentRef& promised);

/// The host has learnt that a moment is past; null is none.
SIM_API void pass(const MomentRef& moment);
/// The host touches memory; Failure(507004) where the mode asks for errors and work of a stream may
/// still use it.
SIM_API void host_work(const AccessList& accesses);
/// The host frees a block; as host_work().
SIM_API void host_frees(const char* function, const void* pointer);
SIM_API void allocation_ended(std::uint64_t allocation);
SIM_API void stream_ended(Stream& stream);

/// Both sides of a collision, in words.
SIM_API Hazard describe(const Collision& collision);
/// Keeps a hazard, and prints it where the mode asks for that.
SIM_API void note(const Hazard& hazard);

}  // namespace races
}  // namespace pyaclnn::sim
