// The order of the elements of a line.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/lines.hpp"
#include "opapi/sorting/keys.hpp"

namespace pyaclnn::sim {

/// Reads the keys of a line's elements; for a descending order upside down.
void read_keys(const Lines& lines, const KernelMemory& memory, std::int64_t line, KeyFn read,
               int bits, bool descending, std::vector<std::uint64_t>& keys);

/// The places of the elements in order, equal ones as they stand: of the first `wanted` ones at
/// least. Keys use `bits` bits. `sorted`, if given, gets their keys.
void order_places(const std::vector<std::uint64_t>& keys, int bits, std::int64_t wanted,
                  std::vector<std::int64_t>& places, std::vector<std::uint64_t>* sorted = nullptr);

}  // namespace pyaclnn::sim
