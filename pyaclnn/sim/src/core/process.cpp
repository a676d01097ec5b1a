// SPDX-License-Identifier: MIT
#include "core/process.hpp"

#include <pthread.h>

#include <atomic>

#include "core/status.hpp"

namespace pyaclnn::sim {
namespace {

std::atomic<bool> forked{false};

void mark_child() {
  forked.store(true);
  detail::interposed.store(true);
}

const bool registered = pthread_atfork(nullptr, nullptr, &mark_child) == 0;

}  // namespace

bool is_forked_child() noexcept {
  // The use keeps the registration, which has no other reader.
  return registered && forked.load(std::memory_order_relaxed);
}

}  // namespace pyaclnn::sim
