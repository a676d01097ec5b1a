// The processors that kernels share, whatever stream they run on.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/export.hpp"
#include "core/function_ref.hpp"

namespace pyaclnn::sim {

/// Calls body(begin, end) over pieces of [0, count), in parallel; returns when all are done.
/// Pieces are multiples of `grain` but the last; count <= grain runs on the calling thread. The
/// split does not depend on timing, so a reduction written per piece is reproducible.
SIM_API void parallel_for(std::int64_t count, std::int64_t grain,
                          FunctionRef<void(std::int64_t, std::int64_t)> body);

/// Ends the helper threads, once their current users are done; the next call makes new ones.
SIM_API void release_thread_pool();

}  // namespace pyaclnn::sim
