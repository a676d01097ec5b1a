// The op cache: plans of calls that have run, found again by name and arguments.
// SPDX-License-Identifier: MIT
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/export.hpp"
#include "objects/prepared_call.hpp"

namespace pyaclnn::sim {

class SIM_API OpCache {
 public:
  explicit OpCache(std::size_t limit) : limit_(limit) {}

  /// Longest key; calls with more to describe are planned anew each time.
  static constexpr std::size_t kKeyBytes = 8192;

  /// The plan remembered for a key, or empty.
  std::shared_ptr<const PreparedCall> find(const std::string& key);

  /// Remembers a plan. A full cache first forgets the 30 plans unused for longest.
  void insert(const std::string& key, std::shared_ptr<const PreparedCall> prepared);

 private:
  using Entry = std::pair<std::string, std::shared_ptr<const PreparedCall>>;

  const std::size_t limit_;
  std::mutex mutex_;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<std::string, std::list<Entry>::iterator> index_;
};

SIM_API OpCache& op_cache();

/// Plans whose keys are too long for the op cache. To the program each is made anew, as CANN does;
/// but a list of 150 tensors takes 100 us to plan.
SIM_API OpCache& long_plans();

}  // namespace pyaclnn::sim
