// Counts of what is alive, and the leak report made of them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/export.hpp"

namespace pyaclnn::sim {

/// As pyaclnnSimCount.
SIM_API std::uint64_t live_count(const char* kind);

/// Lists what is alive on stderr when PYACLNN_SIM_CHECK asks for it; nothing when nothing is.
SIM_API void report_leaks(const char* occasion);

}  // namespace pyaclnn::sim
