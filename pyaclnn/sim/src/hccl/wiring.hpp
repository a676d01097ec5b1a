// How a rank reaches the others of its communicator.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "hccl/link.hpp"

namespace pyaclnn::sim::hccl {

struct Wiring {
  int rank = 0;
  int size = 1;
  std::shared_ptr<Region> region;  // null where no other rank is on this machine
  std::vector<int> local;          // each rank's place in the region; -1: on another machine
  // By lane and rank; null for this rank itself.
  std::array<std::vector<std::unique_ptr<Outlet>>, kLanes> outlets;
  std::array<std::vector<std::unique_ptr<Inlet>>, kLanes> inlets;

  Wiring(int rank, int size);
  /// Reaches the ranks with a place in memory that they share.
  void share(std::shared_ptr<Region> memory, std::vector<int> places);
  /// Reaches a rank over connections, one for each lane.
  void connect(int peer, Lane lane, File connection);
};

}  // namespace pyaclnn::sim::hccl
