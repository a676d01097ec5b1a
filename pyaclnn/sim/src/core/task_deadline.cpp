// SPDX-License-Identifier: MIT
#include "core/task_deadline.hpp"

#include <time.h>

#include <utility>

#include "core/config.hpp"
#include "core/status.hpp"

namespace pyaclnn::sim {
namespace {

// In milliseconds; 0: none.
thread_local std::int64_t deadline = 0;

/// To a tick of the system's clock, for a sixth of what the exact time costs.
std::int64_t now_ms() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return std::int64_t(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

}  // namespace

TaskDeadline::TaskDeadline() {
  const int seconds = config().task_timeout;
  deadline = seconds == 0 ? 0 : now_ms() + std::int64_t(seconds) * 1000;
}

TaskDeadline::~TaskDeadline() { deadline = 0; }

std::int64_t TaskDeadline::current() { return deadline; }

TaskDeadline::Share::Share(std::int64_t shared) : before_(std::exchange(deadline, shared)) {}

TaskDeadline::Share::~Share() { deadline = before_; }

void check_task_time() {
  if (deadline == 0 || now_ms() < deadline) return;
  fail(kRtAicoreTimeout,
       "the task has run for %d s and is given up; PYACLNN_SIM_TASK_TIMEOUT sets how many seconds "
       "a task may take, 0 for no limit",
       config().task_timeout);
}

}  // namespace pyaclnn::sim
