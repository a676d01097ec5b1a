// What handles describe, noted when they are made, in the words that records have.
#ifndef PYACLNN_TRACE_SHADOW_HPP_
#define PYACLNN_TRACE_SHADOW_HPP_

#include <cstdint>

#include "trace/functions.hpp"

namespace pyaclnn::trace {

/// Return what is to be done after calls of a function, or null.
Hook hook_of(const char* name);

/// Copy the description of a handle to `to`; return its length, 0 for null.
std::uint32_t describe(std::uint64_t handle, char* to, std::uint32_t room);

/// Held while a process forks.
void lock_shadows();
void unlock_shadows();

}  // namespace pyaclnn::trace

#endif  // PYACLNN_TRACE_SHADOW_HPP_
