// The order in which work was submitted, for work of different streams.
// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "core/stream_impl.hpp"

namespace pyaclnn::sim::hccl {

/// Turns of one thing that only one at a time may use.
class Sequencer {
 public:
  /// A turn that is not in the order: of a graph, whose work is ordered anew whenever it runs.
  static constexpr std::uint64_t kUnordered = ~std::uint64_t(0);

  std::uint64_t take();
  /// Blocks the task of a stream until it is its turn; Failure(HCCL_E_TIMEOUT).
  void enter(std::uint64_t turn, Stream& stream, Clock::time_point deadline);
  void leave();
  /// Ends a turn, also one that has not come.
  void finish(std::uint64_t turn);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool in_use_ = false;
  std::uint64_t next_ = 0;
  std::uint64_t serving_ = 0;
  std::set<std::uint64_t> finished_;  // out of turn
};

/// Turns of all that one communication uses, which end with this.
class Turns {
 public:
  Turns(const std::vector<Sequencer*>& used, bool ordered);
  ~Turns();
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  void enter(Stream& stream, Clock::time_point deadline);

 private:
  std::vector<std::pair<Sequencer*, std::uint64_t>> turns_;
  std::size_t entered_ = 0;
};

}  // namespace pyaclnn::sim::hccl
