// Products by the registers of AMX, which hold 16 lines of 64 bytes each: of bfloat16 in pairs and
// of int8 in fours, both packed as for the instructions on vectors.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace pyaclnn::sim {

/// Two packed operands, whose elements are pairs or fours of numbers; steps count elements.
struct TileOperands {
  const void* a;  // lines of elements
  std::int64_t a_step;
  const void* b;  // elements of all columns; lines hold whole vectors of 16
  std::int64_t b_step;
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t depth;
  const void* a_more = nullptr;  // a second left operand with the same steps: the sum of both
};

/// sums = a b, or sums += a b where it `adds`. Nothing behind the last row of `a` is read.
using PairTiles = void (*)(const TileOperands& operands, bool adds, float* sums,
                           std::int64_t sums_step);
using ByteTiles = void (*)(const TileOperands& operands, bool adds, std::int32_t* sums,
                           std::int64_t sums_step);

/// Null where this processor lacks them, or the system does not save such registers.
PairTiles pair_tiles();
ByteTiles byte_tiles();

}  // namespace pyaclnn::sim
