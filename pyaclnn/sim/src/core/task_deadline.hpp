// How long a task of a stream may take.
//
// Time on an NPU is not simulated, so this is not its limit but ours: a call that no processor can
// end in a lifetime ends as a kernel does that a device has given up.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/export.hpp"

namespace pyaclnn::sim {

/// Limits what the calling thread does while it exists, unless PYACLNN_SIM_TASK_TIMEOUT is 0.
class SIM_API TaskDeadline {
 public:
  TaskDeadline();
  ~TaskDeadline();
  TaskDeadline(const TaskDeadline&) = delete;
  TaskDeadline& operator=(const TaskDeadline&) = delete;

  /// The deadline of the calling thread's task, for those who help with it; 0: none.
  static std::int64_t current();

  /// Works for a task of another thread.
  class SIM_API Share {
   public:
    explicit Share(std::int64_t deadline);
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

   private:
    std::int64_t before_;
  };
};

/// Failure(507014) once the task that the calling thread works for has taken too long. A few
/// nanoseconds: between pieces of work, not between values.
SIM_API void check_task_time();

}  // namespace pyaclnn::sim
