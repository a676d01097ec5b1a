// SPDX-License-Identifier: MIT
#include "objects/communicators.hpp"

#include <algorithm>
#include <atomic>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"

namespace pyaclnn::sim {
namespace {

std::atomic<CommunicatorFinder>& finder() {
  static std::atomic<CommunicatorFinder> function{nullptr};
  return function;
}

}  // namespace

void set_communicator_finder(CommunicatorFinder function) { finder().store(function); }

std::shared_ptr<Communicator> find_communicator(const std::string& name, int device) {
  const CommunicatorFinder function = finder().load();
  return function == nullptr ? nullptr : function(name, device);
}

Communicators::Communicators(const PreparedCall& prepared, int device) {
  for (const NamedGroup& group : prepared.groups) {
    std::shared_ptr<Communicator> found = find_communicator(group.name, device);
    if (found == nullptr)
      fail(ACLNN_ERR_INNER, "%s: device %d is in no communicator \"%s\"", prepared.api, device,
           group.name.c_str());
    if (found->size() != group.size)
      fail(ACLNN_ERR_INNER, "%s: \"%s\" has %d ranks, it had %d in the first phase", prepared.api,
           group.name.c_str(), found->size(), group.size);
    all_.push_back(std::move(found));
  }
}

std::vector<std::unique_lock<std::mutex>> Communicators::lock() const {
  std::vector<std::mutex*> all;
  for (const auto& each : all_) all.push_back(&each->submitting());
  std::sort(all.begin(), all.end());
  std::vector<std::unique_lock<std::mutex>> locked;
  for (std::mutex* each : all) locked.emplace_back(*each);
  return locked;
}

Communicators::Turn::Turn(const Communicators& all, bool in_order) {
  for (const auto& each : all.all_) {
    exchanges_.push_back(each->take_turn(in_order));
    pointers_.push_back(exchanges_.back().get());
  }
}

}  // namespace pyaclnn::sim
