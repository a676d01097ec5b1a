// Waiting awake for what comes soon.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <thread>

#include "core/config.hpp"

namespace pyaclnn::sim {

inline void pause_processor() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

/// Waits up to ten microseconds, less than a thread that sleeps takes to wake up, for `ready`;
/// returns what it said last. Does not wait where there is one processor: it would keep it from
/// the thread that is waited for. By the clock, as a pause is 10 ns on one processor and 50 on
/// another.
template <class Ready>
bool spin_until(Ready ready) {
  constexpr std::chrono::microseconds kLimit(10);
  constexpr int kLooks = 16;  // between two looks at the clock
  if (ready()) return true;
  if (config().processors <= 1) return false;
  const auto end = std::chrono::steady_clock::now() + kLimit;
  do {
    for (int look = 0; look < kLooks; ++look) {
      pause_processor();
      if (ready()) return true;
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

}  // namespace pyaclnn::sim
