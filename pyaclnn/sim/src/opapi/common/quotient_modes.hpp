// What a quotient's `mode` says.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace pyaclnn::sim {

constexpr std::int64_t kExact = 0;
constexpr std::int64_t kCutOff = 1;
constexpr std::int64_t kRoundedDown = 2;

}  // namespace pyaclnn::sim
