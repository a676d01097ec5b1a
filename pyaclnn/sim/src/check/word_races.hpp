// Order by words in memory: what aclrtValueWrite writes and aclrtValueWait waits for.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>

#include "check/races.hpp"
#include "core/export.hpp"

namespace pyaclnn::sim::races {

/// A stream writes a word. Streams that wait for such a value come after it.
SIM_API void word_written(Stream& stream, const void* address, std::uint64_t value);

/// A stream waits until a word is such that `holds`. It comes after the writes so far, if one of
/// them makes it so, else after the first to come that does: rather too late than too early.
SIM_API void word_awaited(Stream& stream, const void* address,
                          std::function<bool(std::uint64_t)> holds);

}  // namespace pyaclnn::sim::races
