// Small checks that most entry points begin with.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "core/release.hpp"
#include "core/status.hpp"

namespace pyaclnn::sim {

/// The first check of the acl layer: Failure(100000) for a null argument.
inline void require_not_null(const void* argument, const char* name) {
  if (argument == nullptr) fail(kInvalidParam, "%s is null", name);
}

inline void require_positive(std::size_t size, const char* name) {
  if (size == 0) fail(kInvalidParam, "%s is 0", name);
}

/// Timeouts are -1, for ever, or a positive number of milliseconds.
inline void require_timeout(long long timeout, int code) {
  if (timeout == 0 || timeout < -1)
    fail(code, "the timeout is %lld; it is -1 or a positive number of milliseconds", timeout);
}

/// entry() for a function that some releases do not have.
template <class Body>
int entry_of_release(const char* function, Body&& body) noexcept {
  return entry(function, [&] {
    require_release(function);
    return std::forward<Body>(body)();
  });
}

}  // namespace pyaclnn::sim
