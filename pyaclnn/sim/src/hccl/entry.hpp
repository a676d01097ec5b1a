// Entry points of the communication library, whose codes are small numbers of their own.
// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <new>
#include <utility>

#include "core/status.hpp"
#include "hccl/hccl_types.h"

namespace pyaclnn::sim::hccl {

/// The code of this library for one of the runtime's.
inline int translated(int code) {
  if (code < HCCL_E_RESERVED) return code;
  return code == kRtOutOfMemory || code == kBadAlloc ? HCCL_E_MEMORY : HCCL_E_RUNTIME;
}

/// entry() for a function of this library.
template <class Body>
HcclResult enter(const char* function, Body&& body) noexcept {
  return HcclResult(translated(entry(function, [&]() -> int {
    try {
      std::forward<Body>(body)();
      return HCCL_SUCCESS;
    } catch (const Failure& failure) {
      throw Failure(translated(failure.code()), failure.what());
    } catch (const std::bad_alloc&) {
      throw Failure(HCCL_E_MEMORY, "host memory is exhausted");
    } catch (const std::exception& error) {
      throw Failure(HCCL_E_INTERNAL, error.what());
    }
  })));
}

inline void require_pointer(const void* argument, const char* name) {
  if (argument == nullptr) fail(HCCL_E_PTR, "%s is null", name);
}

}  // namespace pyaclnn::sim::hccl
