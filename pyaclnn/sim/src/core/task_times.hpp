// How long the tasks of each operator ran, for those who look where a program's time goes.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace pyaclnn::sim {

/// Counts the time in which it exists to a task of this name, where PYACLNN_SIM_TIMES=FILE asks for
/// it. When the process ends, its names, numbers of tasks and milliseconds are appended to the
/// file, one line each between tabs, the longest first.
class TaskTimer {
 public:
  explicit TaskTimer(const char* name);
  ~TaskTimer();
  TaskTimer(const TaskTimer&) = delete;
  TaskTimer& operator=(const TaskTimer&) = delete;

 private:
  const char* const name_;  // null: nobody asks
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace pyaclnn::sim
