// Whoever calls at a listening socket, heard all at the same time.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <optional>
#include <vector>

#include "hccl/socket.hpp"

namespace pyaclnn::sim::hccl {

/// A connection, and the first bytes that came over it.
struct Caller {
  File connection;
  std::vector<unsigned char> words;
};

/// Takes connections until they said `bytes` bytes. Strangers hang up, say nothing or come in
/// numbers: each is dropped after a while and costs the others nothing.
class Reception {
 public:
  /// `listener` has to stay.
  Reception(const File& listener, std::size_t bytes) : listener_(listener), bytes_(bytes) {}

  /// The next one that said all; nothing after the deadline. Failure(HCCL_E_SYSCALL) where this
  /// process cannot open another file.
  std::optional<Caller> next(Clock::time_point deadline);

 private:
  struct Guest {
    Caller caller;
    std::size_t heard = 0;
    Clock::time_point deadline;
  };
  using Guests = std::list<Guest>;

  void take_new();
  std::optional<Caller> hear(Guests::iterator guest);

  const File& listener_;
  const std::size_t bytes_;
  Guests guests_;  // the one that came first is the first
};

}  // namespace pyaclnn::sim::hccl
