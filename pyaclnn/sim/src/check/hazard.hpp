// Missing synchronisation: what was found, how it reads, and where it is kept.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>

#include "check/access.hpp"
#include "core/export.hpp"
#include "core/memory.hpp"

namespace pyaclnn::sim {

/// "reads", "writes", "frees"
SIM_API const char* verb(AccessMode mode);

/// One of the two accesses of a hazard. Bytes count from the start of the block.
struct HazardSide {
  HazardSide() = default;
  HazardSide(const Access& access, const Actor& actor, std::uintptr_t block);

  /// "aclnnSeluBackward on stream 3 writes gradInput, float32[256], bytes 0 to 1024"
  std::string text() const;
  /// "stream 3"
  std::string place() const;

  std::string operation;
  std::string operand;
  std::string tensor;
  AccessMode mode = AccessMode::kRead;
  Actor actor;
  int captured_on = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct SIM_API Hazard {
  Hazard(HazardSide earlier, HazardSide later, const Allocation& block);

  /// "read-after-write", ...
  const char* kind() const;

  HazardSide earlier;
  HazardSide later;
  Allocation block;
  std::uint64_t begin = 0;  // what the two share, or of views the stretch in which they do
  std::uint64_t end = 0;
  std::uint64_t count = 1;  // how often it was found
  std::string text;         // all of it, for people
};

/// The hazards found so far; those that differ in nothing but time and address are one.
class SIM_API HazardLog {
 public:
  /// Returns whether it is a new one. Of many different ones the first are kept.
  bool add(const Hazard& hazard);

  std::uint64_t size();
  /// The hazard at a place, and how often it was found; null where there is none. It stays until
  /// clear(), and all but its count stays as it is.
  const Hazard* at(std::uint64_t index, std::uint64_t* count);
  void clear();

 private:
  std::mutex mutex_;
  std::deque<Hazard> hazards_;
};

SIM_API HazardLog& hazard_log();

}  // namespace pyaclnn::sim
