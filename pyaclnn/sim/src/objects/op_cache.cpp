// SPDX-License-Identifier: MIT
#include "objects/op_cache.hpp"

#include "core/config.hpp"

namespace pyaclnn::sim {
namespace {

constexpr int kEvicted = 30;
constexpr std::size_t kMostLongPlans = 256;

}  // namespace

std::shared_ptr<const PreparedCall> OpCache::find(const std::string& key) {
  std::lock_guard<std::mutex> guard(mutex_);
  auto found = index_.find(key);
  if (found == index_.end()) return {};
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->second;
}

void OpCache::insert(const std::string& key, std::shared_ptr<const PreparedCall> prepared) {
  if (limit_ == 0) return;
  std::lock_guard<std::mutex> guard(mutex_);
  if (index_.count(key) != 0) return;
  if (entries_.size() >= limit_) {
    for (int i = 0; i < kEvicted && !entries_.empty(); ++i) {
      index_.erase(entries_.back().first);
      entries_.pop_back();
    }
  }
  entries_.emplace_front(key, std::move(prepared));
  index_.emplace(key, entries_.begin());
}

OpCache& op_cache() {
  static OpCache& cache = *new OpCache(config().op_cache_limit);
  return cache;
}

OpCache& long_plans() {
  static OpCache& plans = *new OpCache(kMostLongPlans);
  return plans;
}

}  // namespace pyaclnn::sim
