// Memory that the ranks of one machine share: rings for what they send each other, and a card of
// each that says what it does. A file without a name: it is gone with the last process that has it.
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "hccl/signature.hpp"
#include "hccl/socket.hpp"

namespace pyaclnn::sim::hccl {

/// Messages of different lanes pass each other.
enum class Lane { kCollective, kPointToPoint, kControl, kCount };
constexpr int kLanes = int(Lane::kCount);

enum class RankState : std::uint32_t { kAbsent, kPresent, kLeft, kFailed };

/// The two ends of a ring: bytes that were written and read since the beginning, and whether the
/// other side sleeps until there are more.
struct RingEnds {
  alignas(64) std::atomic<std::uint64_t> written;
  std::atomic<std::uint32_t> receiver_waits;
  alignas(64) std::atomic<std::uint64_t> read;
  std::atomic<std::uint32_t> sender_waits;
};

class Region {
 public:
  /// A file for the memory of so many ranks.
  static File create(int ranks);

  /// Joins as the rank; Failure(HCCL_E_MEMORY or HCCL_E_PARA) where the file is not of create().
  Region(const File& file, int ranks, int rank);
  ~Region();
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  int rank() const { return rank_; }
  RingEnds& ends(Lane lane, int from, int to) const;
  unsigned char* data(Lane lane, int from, int to) const;
  std::size_t capacity() const { return capacity_; }

  void set_state(RankState state);
  RankState state(int rank) const;
  /// Whether the process of a rank that joined still exists.
  bool lives(int rank) const;

  void set_doing(Lane lane, const Signature& signature);
  Signature doing(Lane lane, int rank) const;

  /// Wakes whoever waits for the rank's bell.
  void ring(int rank);
  void ring_all();
  /// How often this rank's bell was rung.
  std::uint32_t bell() const;
  /// Waits until the bell was rung since `seen`, or the time is over.
  void wait(std::uint32_t seen, std::chrono::microseconds longest);

 private:
  struct Card;
  Card& card(int rank) const;
  std::size_t ring_place(Lane lane, int from, int to) const;

  const int ranks_;
  const int rank_;
  const std::size_t capacity_;
  File file_;
  unsigned char* memory_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace pyaclnn::sim::hccl
