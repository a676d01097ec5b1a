// SPDX-License-Identifier: MIT
#include "core/visible.hpp"

#include <atomic>
#include <mutex>
#include <numeric>

#include "core/config.hpp"

namespace pyaclnn::sim {
namespace {

std::atomic<const std::vector<int>*> kept{nullptr};

std::vector<int> seen_now() {
  std::vector<int> all(std::size_t(config().devices));
  std::iota(all.begin(), all.end(), 0);
  std::vector<int> named;
  // One that is named twice or not there ends the list, which may leave no device at all.
  if (!read_device_list("ASCEND_RT_VISIBLE_DEVICES", config().devices, &named)) return all;
  return named;
}

}  // namespace

std::vector<int> visible_devices() {
  const std::vector<int>* known = kept.load(std::memory_order_acquire);
  return known == nullptr ? seen_now() : *known;
}

int device_count() {
  const std::vector<int>* known = kept.load(std::memory_order_acquire);
  return int(known == nullptr ? seen_now().size() : known->size());
}

void keep_visible_devices() {
  static std::once_flag& once = *new std::once_flag;
  std::call_once(once, [] { kept.store(new std::vector<int>(seen_now())); });
}

}  // namespace pyaclnn::sim
