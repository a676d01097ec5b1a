// SPDX-License-Identifier: MIT
#include "hccl/wiring.hpp"

#include <utility>

namespace pyaclnn::sim::hccl {

Wiring::Wiring(int own, int ranks) : rank(own), size(ranks), local(std::size_t(ranks), -1) {
  for (auto& lane : outlets) lane.resize(std::size_t(size));
  for (auto& lane : inlets) lane.resize(std::size_t(size));
}

void Wiring::share(std::shared_ptr<Region> memory, std::vector<int> places) {
  region = std::move(memory);
  local = std::move(places);
  for (int lane = 0; lane < kLanes; ++lane) {
    for (std::size_t peer = 0; peer < local.size(); ++peer) {
      if (int(peer) == rank || local[peer] < 0) continue;
      outlets[std::size_t(lane)][peer] = ring_outlet(region, Lane(lane), local[peer]);
      inlets[std::size_t(lane)][peer] = ring_inlet(region, Lane(lane), local[peer]);
    }
  }
}

void Wiring::connect(int peer, Lane lane, File connection) {
  SocketLink link = socket_link(std::move(connection), peer);
  outlets[std::size_t(lane)][std::size_t(peer)] = std::move(link.outlet);
  inlets[std::size_t(lane)][std::size_t(peer)] = std::move(link.inlet);
}

}  // namespace pyaclnn::sim::hccl
