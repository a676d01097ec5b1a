// What is said at a meeting. Numbers are as this processor has them: simulated machines are alike.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "hccl/rendezvous.hpp"

namespace pyaclnn::sim::hccl {

constexpr std::uint64_t kMeetingMagic = 0x68636c6d65657431;
constexpr std::uint32_t kMostRanks = 4096;

/// A rank introduces itself.
struct Hello {
  std::uint64_t magic = kMeetingMagic;
  Cookie cookie = {};
  std::uint32_t size = 0;
  std::uint32_t rank = 0;
  Place links;             // where it takes connections of other machines
  char machine[128] = {};  // Settings::machine
  char memory[64] = {};    // where it would give away the memory that its machine shares
};

/// The root's answer; after a good one come the Hellos of all ranks.
struct Answer {
  std::uint64_t magic = kMeetingMagic;
  std::int32_t code = 0;
  char text[500] = {};
};

/// A rank makes a link to one of another machine, or takes the memory that its own shares.
struct LinkHello {
  std::uint64_t magic = kMeetingMagic;
  Cookie cookie = {};
  std::uint32_t rank = 0;
  std::uint32_t lane = 0;
};

}  // namespace pyaclnn::sim::hccl
