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

/// Less than a thread that sleeps takes to wake up.
constexpr std::chrono::microseconds kShortWait(10);

/// Waits up to `limit` for `ready`; returns what it said last. Does not wait where there is one
/// processor: it would keep it from the thread that is waited for. By the clock, as a pause is 10
/// ns on one processor and 50 on another.
template <class Ready>
bool spin_until(Ready ready, std::chrono::microseconds limit = kShortWait) {
  constexpr int kLooks = 16;  // between two looks at the clock
  if (ready()) return true;
  if (config().processors <= 1) return false;
  const auto end = std::chrono::steady_clock::now() + limit;
  do {
    for (int look = 0; look < kLooks; ++look) {
      pause_processor();
      if (ready()) return true;
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

/// A thread that waits awake before it sleeps, longer after a sleep that was short: in a virtual
/// machine it takes 40 us to be woken, which a program that reads small results back pays for each.
class AwakeWait {
 public:
  /// Waits for `ready`; false where the thread is to sleep now, and to say when it has slept().
  template <class Ready>
  bool until(Ready ready) {
    if (spin_until(ready, limit_)) return true;
    limit_ = kShortWait;
    since_ = std::chrono::steady_clock::now();
    return false;
  }
  void slept() {
    if (std::chrono::steady_clock::now() - since_ < kShortSleep) limit_ = kLongWait;
  }

 private:
  static constexpr std::chrono::microseconds kLongWait{60}, kShortSleep{100};
  std::chrono::microseconds limit_ = kShortWait;
  std::chrono::steady_clock::time_point since_;
};

}  // namespace pyaclnn::sim
