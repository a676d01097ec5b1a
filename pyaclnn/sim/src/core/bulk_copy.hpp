// Copies and stores that leave the caches to others.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "core/export.hpp"

namespace pyaclnn::sim {

/// Results of at least this many bytes are gone from the caches before anybody reads them, so they
/// need not pass through them. Writing past the caches also spares reading what is overwritten: a
/// sum of two arrays takes 8.0 ms for 16 Mi floats in place of 11.9. Of 8 MiB a third-level cache
/// of 32 MiB keeps enough that a copy takes 0.24 ms by way of it and 0.35 past it.
constexpr std::size_t kBulkBytes = std::size_t(12) << 20;

/// memcpy for apart stretches, that writes past the caches where the processor can. What was
/// written is visible to other threads once bulk_copy_done() ran on this one.
SIM_API void bulk_copy(void* to, const void* from, std::size_t bytes) noexcept;
SIM_API void bulk_copy_done() noexcept;

}  // namespace pyaclnn::sim
