// The library's life in this process: fork and exit.
// SPDX-License-Identifier: MIT
#pragma once

#include "core/export.hpp"

namespace pyaclnn::sim {

/// True in a child of a fork() after the first call: threads and device connections stayed with the
/// parent. A process that only loaded the library may fork.
SIM_API bool is_forked_child() noexcept;

/// Says that a function of the library was called in this process.
void note_call() noexcept;
bool any_call_noted() noexcept;

/// Whether a process can still do something: one that has ended cannot, reaped or not.
SIM_API bool is_alive(int process) noexcept;

}  // namespace pyaclnn::sim
