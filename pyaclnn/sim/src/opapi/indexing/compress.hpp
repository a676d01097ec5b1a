// Elements chosen by bytes that are not zero, one behind the other.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace pyaclnn::sim {

/// How many of `count` bytes are not zero.
std::int64_t count_true(const std::byte* mask, std::int64_t count);

/// Copies those of `count` elements whose byte is not zero; there are `found` of them, and nothing
/// is written behind these.
using Compress = void (*)(const std::byte* mask, const std::byte* from, std::int64_t count,
                          std::byte* to, std::int64_t found);

/// For elements of 1, 2, 4 or 8 bytes; null for others.
Compress compress_for_cpu(std::int64_t size);

}  // namespace pyaclnn::sim
